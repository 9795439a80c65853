// The newest funding rates of one asset, from the topic rates.latest: node latest.ts BOOTSTRAP_SERVERS ASSET
// Needs the package kafkajs and Node 22.18, which decompresses zstd and runs TypeScript.
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import kafkajs from "kafkajs";

const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = kafkajs;
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: async (encoder: { buffer: Buffer }) => zstdCompressSync(encoder.buffer),
  decompress: async (buffer: Buffer) => zstdDecompressSync(buffer),
});

const TOPIC = "rates.latest";
const [brokers, asset] = process.argv.slice(2);
const kafka = new Kafka({ clientId: "example", brokers: brokers.split(","), logLevel: logLevel.ERROR });

/** The newest value of each key: the digits of the rate as they were sent. */
const rates = new Map<string, string>();
const exact = (key: string, value: unknown, context?: { source?: string }) =>
  key === "funding_rate_8h" && typeof value === "number" ? context?.source : value;

const admin = kafka.admin();
await admin.connect();
const ends = new Map((await admin.fetchTopicOffsets(TOPIC)).map((end) => [end.partition, BigInt(end.high)]));
await admin.disconnect();

// Groups of teams begin with "team-". A new group reads the table from its beginning; only committed records are delivered.
const consumer = kafka.consumer({ groupId: `team-example-${Date.now()}`, readUncommitted: false });
await consumer.connect();
await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
const read = new Promise<void>((resolve) => {
  const waiting = new Set([...ends].filter(([, end]) => end > 0n).map(([partition]) => partition));
  // A batch may hold nothing but the mark that ends a transaction: progress is that of batches, not of messages.
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    if (BigInt(payload.lastOffset) + 1n >= (ends.get(payload.partition) ?? 0n)) waiting.delete(payload.partition);
    if (waiting.size === 0) resolve();
  });
});
await consumer.run({
  eachMessage: async ({ message }) => {
    const key = message.key!.toString();
    rates.delete(key);
    // A null value removes the key.
    if (message.value === null) return;
    const rate = JSON.parse(message.value.toString(), exact as (key: string, value: unknown) => unknown);
    if (rate.asset === asset && rate.funding_rate_8h !== null) rates.set(key, rate.funding_rate_8h);
  },
});
await read;
await consumer.disconnect();
for (const [key, rate] of rates) console.log(key.replace("|", " "), rate);
