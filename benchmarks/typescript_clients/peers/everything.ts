// All of protocol v1.
export * from "@agentclientprotocol/sdk";
