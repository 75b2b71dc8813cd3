// The same client on the SDK, which brings the JSON-RPC peer.
import * as acp from "@agentclientprotocol/sdk";

export { ndJsonStream } from "@agentclientprotocol/sdk";

export async function converse(
  stream: acp.Stream,
  show: (update: acp.SessionNotification) => void,
): Promise<string> {
  const { agent, client } = acp.methods;
  const app = acp
    .client({ name: "client" })
    .onNotification(client.session.update, ({ params }) => {
      show(params);
    });
  return app.connectWith(stream, async (connection) => {
    await connection.request(agent.initialize, { protocolVersion: 1 });
    const session = await connection.request(agent.session.new, {
      cwd: "/project",
      mcpServers: [],
    });
    const { stopReason } = await connection.request(agent.session.prompt, {
      sessionId: session.sessionId,
      prompt: [{ type: "text", text: "Hello" }],
    });
    await connection.notify(agent.session.cancel, {
      sessionId: session.sessionId,
    });
    return stopReason;
  });
}
