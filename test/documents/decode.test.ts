import { describe, expect, it } from "vitest";
import { decodeText, looksBinary } from "../../src/documents/decode-text.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? Array.from(part, (character) => character.charCodeAt(0)) : part)));

/** 中文网页 in GBK and 日本 in Shift_JIS and EUC-JP. */
const GBK = [0xd6, 0xd0, 0xce, 0xc4, 0xcd, 0xf8, 0xd2, 0xb3];
const SHIFT_JIS = [0x93, 0xfa, 0x96, 0x7b];
const EUC_JP = [0xc6, 0xfc, 0xcb, 0xdc];

describe("bytes are decoded", () => {
  it.each([
    ["gb2312", GBK, "中文网页"],
    ["gbk", GBK, "中文网页"],
    ["Shift_JIS", SHIFT_JIS, "日本"],
    ["euc-jp", EUC_JP, "日本"],
    ["windows-1251", [0xcc, 0xe8, 0xf0], "Мир"],
    ["windows-1252", [0xe9, 0x80], "é€"],
    ["iso-8859-1", [0xe9], "é"],
  ])("by a meta element that says %s", (label, encoded, expected) => {
    expect(decodeText(bytes(`<meta charset="${label}"><p>`, encoded))).toContain(expected);
    const equivalent = `<meta http-equiv="Content-Type" content="text/html; charset=${label}">`;
    expect(decodeText(bytes(equivalent, encoded))).toContain(expected);
  });

  it("by the charset of the transport before that of the page", () => {
    expect(decodeText(bytes("<meta charset=shift_jis>", GBK), "gbk")).toContain("中文网页");
  });

  it("by their byte order mark before anything else, and the mark is not part of the text", () => {
    expect(decodeText(bytes([0xef, 0xbb, 0xbf], "<meta charset=gbk>"), "gbk")).toBe("<meta charset=gbk>");
    expect(decodeText(bytes([0xff, 0xfe, 0x2d, 0x4e]))).toBe("中");
    expect(decodeText(bytes([0xfe, 0xff, 0x4e, 0x2d]))).toBe("中");
  });

  it("as UTF-8 if they clearly are, although a saved page still declares its old charset", () => {
    const page = '<meta charset="gb2312"><p>中文网页保存之后是统一码</p>';
    expect(decodeText(new TextEncoder().encode(page))).toBe(page);
  });

  it("as GB 18030 or Western if nothing is declared and they are not UTF-8", () => {
    expect(decodeText(bytes(GBK))).toBe("中文网页");
    expect(decodeText(bytes("caf", [0xe9], " cr", [0xe8], "me"))).toBe("café crème");
  });

  it.each([
    ["big5", "ukmm3KRUpOups6FBtW+m5qRIplXD/rHCq0jDQqvXwWDDQrlG", "截至三月底，發行人各類授信額度總額達"],
    ["shift_jis", "jOGUeYLNlEyCxYKggumBQpa8kU+CzYLcgr6Ws4KigUI=", "吾輩は猫である。名前はまだ無い。"],
    ["euc-jp", "uOPH2qTPx62kx6SipOuho8y+wbCkz6TepMDMtaSkoaM=", "吾輩は猫である。名前はまだ無い。"],
    ["euc-kr", "s6q0wiCw7b7nwMy3zrzSwMy02S4gwMy4p8C6IL7Gwfcgvvi02S4=", "나는 고양이로소이다. 이름은 아직 없다."],
    ["windows-1251", "zO7pIOT/5P8g8eDs+/Ug9+Xx8u379SDv8ODi6Os=", "Мой дядя самых честных правил"],
    ["iso-2022-jp", "GyRCOGNHWiRPRy0kRyQiJGshIxsoQg==", "吾輩は猫である。"],
  ])("as %s if they look like it and nothing is declared", (_, base64, expected) => {
    expect(decodeText(Buffer.from(base64, "base64"))).toBe(expected);
  });

  it("as what they look like if that refutes the declared charset", () => {
    const gbk = Buffer.from("bdd8d6c1c8fdd4c2c4a9a3acb7a2d0d0c8cbb8f7c0e0".repeat(2), "hex");
    for (const declared of ["utf-8", "euc-jp", "iso-8859-1"])
      expect(decodeText(gbk, declared)).toBe("截至三月末，发行人各类截至三月末，发行人各类");
  });

  it("as UTF-8 with a replacement character if a character was cut off", () => {
    expect(decodeText(bytes([0xe4, 0xb8, 0xad, 0xe6, 0x96, 0x87, 0xe4, 0xb8]))).toBe("中文\ufffd");
  });

  it("as UTF-16 if the transport declares it and there is no byte order mark", () => {
    const chinese = "北京时间十月十四日，第二届全球金融科技峰会在上海开幕。中文站报道";
    const little = Buffer.from(chinese, "utf16le");
    expect(decodeText(little, "utf-16le")).toBe(chinese);
    expect(decodeText(little, "UTF-16")).toBe(chinese);
    expect(decodeText(Buffer.from(little).swap16(), "utf-16be")).toBe(chinese);
    expect(looksBinary(little, "utf-16le")).toBe(false);
    const page = `<p>${chinese}</p>`;
    expect(decodeText(Buffer.from(page, "utf16le"), "utf-16le")).toBe(page);
  });

  it.each([
    "<title>Two  spaces, 2020 (and) signs</title>\n  <p>It is (plain) ASCII & more.</p>",
    "北京时间十月十四日，第二届全球金融科技峰会在上海开幕。",
    "서울에서 열린 회의",
  ])("as UTF-8 if the declared UTF-16 is refuted: %s", (text) => {
    expect(decodeText(Buffer.from(text), "utf-16le")).toBe(text);
    expect(decodeText(Buffer.from(text), "utf-16be")).toBe(text);
  });

  it("whatever unknown charset is declared", () => {
    expect(decodeText(bytes("<meta charset=klingon>ok"), "x-nothing")).toContain("ok");
  });
});

describe("a binary file", () => {
  it("is distinguished from text, UTF-16 and ISO-2022-JP", () => {
    expect(looksBinary(bytes([0x89], "PNG", [0, 0, 0, 13, 1, 2, 3]))).toBe(true);
    expect(looksBinary(bytes("plain\ttext\r\n"))).toBe(false);
    expect(looksBinary(bytes([0x61, 0, 0x62, 0, 0x63, 0, 0x64, 0]))).toBe(false);
    expect(looksBinary(bytes([0x1b], "$BF|K\\", [0x1b], "(B"))).toBe(false);
  });
});
