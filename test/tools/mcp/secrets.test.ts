import { expect, it } from "vitest";
import { secretsInArguments, secretsUnder } from "../../../src/tools/mcp/secrets.ts";
import { writtenForms } from "../../../src/util/mask-values.ts";

it.each<[string, string, string[]]>([
  ["GITHUB_TOKEN", "gt-blue-Heron-7", ["gt-blue-Heron-7"]],
  ["githubToken", "blue heron 7", ["blue heron 7"]],
  ["DB_PASSWORD", "p@ss/wörd!", ["p@ss/wörd!"]],
  ["X-Api-Key", "Kite.4711", ["Kite.4711"]],
  ["数据库密码", "月亮-Moon-42", ["月亮-Moon-42"]],
  ["Authorization", "Bearer blue-Heron.7", ["blue-Heron.7"]],
  ["Authorization", "Basic dHVsaXA6cmVkLUdhcmRlbi05", ["dHVsaXA6cmVkLUdhcmRlbi05", "tulip:red-Garden-9", "red-Garden-9"]],
  ["Cookie", "lang=zh; sid=Zx81-kite", ["Zx81-kite"]],
  ["ANYTHING", "a81bc81bdead4e5dabff90865d1e13b1", ["a81bc81bdead4e5dabff90865d1e13b1"]],
  ["TENANT", "a81bc81b-dead-4e5d-abff-90865d1e13b1", ["a81bc81b-dead-4e5d-abff-90865d1e13b1"]],
  ["SECRET_KEY", "/9xQw7Tz1LmN4pRs8Vb2/c=", ["/9xQw7Tz1LmN4pRs8Vb2/c="]],
  ["DATABASE_URL", "postgres://reader:green%2FOwl-5@db:5432/papers", ["green/Owl-5"]],
  ["ENDPOINT", "https://h/mcp/u7T3mNq9Zx81kLw2?lang=en&api_key=small-Fox-3", ["small-Fox-3", "u7T3mNq9Zx81kLw2"]],
  ["REPOSITORY", "https://blue-Heron-77@example.org/x", ["blue-Heron-77"]],
  ["OPENAPI_HEADERS", '{"Authorization":"Bearer blue-Heron.7","Version":"2022-06-28"}', ["blue-Heron.7"]],
])("masks a secret that %s contains: %s", (name, text, secrets) => {
  expect(secretsUnder(name, text)).toEqual(secrets);
});

it.each([
  ["TOKEN", "1"],
  ["TOKEN", "true"],
  ["API_KEY", "abc-123"],
  ["DB_PASSWORD", "postgres"],
  ["AUTH", "Production"],
  ["PASSWORD", "20260101"],
  ["AUTH_MODE", "authorization-code"],
  ["KEY_FILE", "/etc/keys/papers.pem"],
  ["GOOGLE_APPLICATION_CREDENTIALS", "/etc/keys/papers.json"],
  ["MAX_TOKENS", "128000000-a"],
  ["ROOT", "/srv/archive2024/papersandbooks17"],
  ["LANG", "zh_CN.UTF-8"],
  ["城市", "北京市朝阳区建国路八十八号"],
  ["SHEET_ID", "1BxiMVs0XRA5nFMdKvBdBZjgmUUqpt"],
  ["BASE_URL", "https://example.org/wiki/Main_Page?uselang=zh"],
  ["Authorization", "Bearer short"],
  ["Accept-Language", "zh-CN,en;q=0.5"],
  ["BROKEN", "{no json"],
])("does not change ordinary text: %s is %s", (name, text) => {
  expect(secretsUnder(name, text)).toEqual([]);
});

it("masks arguments by the names before or within them", () => {
  const args = [
    "-y",
    "server-papers@1.2.3",
    "--api-key",
    "small-Fox-3",
    "--password=green-Owl-5",
    "--header",
    "Authorization: Bearer blue-Heron.7",
  ];
  expect(secretsInArguments([...args, "/srv/papers", "北京"])).toEqual(["small-Fox-3", "green-Owl-5", "blue-Heron.7"]);
});

it("recognizes the encodings in which a value may be written", () => {
  expect(writtenForms('a"b/钥')).toEqual(['a"b/钥', 'a\\"b/钥', "a%22b%2F%E9%92%A5", "a%22b%2f%e9%92%a5"]);
});
