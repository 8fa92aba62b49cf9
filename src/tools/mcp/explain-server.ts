import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode as McpCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { codeOfStatus } from "../../domain/failure.ts";
import { maskValues } from "../../domain/mask-values.ts";
import { DossierError, type ErrorCode } from "../../errors.ts";
import { maskFailure } from "./mask-server.ts";
import type { ServerSettings } from "./server-settings.ts";

const MAX_MESSAGE_LENGTH = 500;

/** What errors of the protocol mean here; any other one is the tool's. */
const CODE_OF: Readonly<Record<number, ErrorCode>> = {
  [McpCode.ConnectionClosed]: "unreachable",
  [McpCode.RequestTimeout]: "timeout",
  [McpCode.InvalidParams]: "invalid_arguments",
};

/**
 * What went wrong with a server, as an error of ours, without its secrets; one of ours stays what it is.
 * @param said what the server's process said of it, for the log alone: it may hold what readers must not see
 */
export function explainServer({ name, secrets }: Pick<ServerSettings, "name" | "secrets">, error: unknown, said = ""): DossierError {
  if (error instanceof DossierError) return maskFailure(error, secrets);
  const { code, message } = explained(error);
  // Before anything is cut, which could leave a piece of a secret.
  const words = maskValues(message, secrets).replaceAll(/\s+/g, " ").trim().slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
  const shown = /[.!?。！？]$/.test(words) ? words : `${words}.`;
  const cause = said === "" ? error : new Error(said, { cause: error });
  return maskFailure(new DossierError(code, `The MCP server ${name} ${shown}`, { cause }), secrets);
}

/** Whether what was thrown means that the connection is gone; a status is an answer, and others may be under way. */
export function endsConnection({ code }: DossierError, thrown: unknown): boolean {
  return code === "unreachable" && !(thrown instanceof StreamableHTTPError);
}

function explained(error: unknown): { readonly code: ErrorCode; readonly message: string } {
  if (error instanceof McpError) return { code: CODE_OF[error.code] ?? "tool_failed", message: wordsOf(error) };
  if (error instanceof StreamableHTTPError) return ofStatus(error);
  if (error instanceof SyntaxError || (error instanceof Error && "issues" in error))
    return { code: "unreadable", message: "sent something that is not of the protocol." };
  const text = error instanceof Error ? error.message : String(error);
  if (/exceeded maximum size/.test(text)) return { code: "document_too_large", message: "sent more than one message may hold." };
  return { code: "unreachable", message: `could not be reached: ${codeIn(error) ?? text}` };
}

function wordsOf({ code, message }: McpError): string {
  if (code === McpCode.ConnectionClosed) return "ended the connection.";
  if (code === McpCode.RequestTimeout) return "did not answer in time.";
  return `answered with an error: ${message}`;
}

function ofStatus({ code = 0, message }: StreamableHTTPError): { readonly code: ErrorCode; readonly message: string } {
  // Some servers answer 400 where the protocol wants 404 for a session that is over.
  if (code === 400 && /session/i.test(message)) return { code: "not_found", message: "has ended the session." };
  if (code >= 300) return { code: codeOfStatus(code, "blocked"), message: `answered with the status ${code}.` };
  return { code: "unreadable", message: `sent something that is not of the protocol: ${message}` };
}

/** What the system calls it, such as ENOENT for a command that is not there. */
function codeIn(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}
