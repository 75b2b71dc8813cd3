// What the compiler is timed on: both versions, a few of their types.
import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";

export const said: v1.SessionNotification = {
  sessionId: "s",
  update: {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "Hello" },
  },
};

export function words(update: v1.SessionUpdate): string {
  return update.sessionUpdate === "agent_message_chunk" &&
    update.content.type === "text"
    ? update.content.text
    : "";
}

export function kinds(update: v2.SessionUpdate): string {
  return update.sessionUpdate;
}

export const versions = [v1.AGENT_METHODS, v2.AGENT_METHODS];
