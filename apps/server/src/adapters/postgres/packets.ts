import * as z from 'zod/mini'

export interface Packet {
  readonly channel: string
  readonly data: string
  readonly request?: string | undefined
}

/** Packets of one sender. `n` grows by one for each frame, so a receiver notices a lost one. */
export interface Frame {
  readonly sender: string
  readonly n: number
  /** When it was published, in Unix milliseconds of the shared clock. Null: by an older program. */
  readonly at: number | null
  /** The packets, or the key of the row of `recados` that holds the only one. */
  readonly content: readonly Packet[] | { readonly row: string; readonly request: string | undefined }
}

/** Seals frames: packets contain the words of customers, and a server log may show the parameters of statements. */
export interface FrameSeal {
  readonly seal: (text: string, place: string) => string
  readonly open: (sealed: string, place: string) => string
}

/**
 * PostgreSQL limits a notification to 7,999 bytes. Sealing adds 28 bytes and a prefix, and base64 takes four bytes for
 * three.
 */
export const FRAME_BYTES = 5_700

const PLACE = 'recado'

const packetsSchema = z.array(z.tuple([z.string(), z.string()]))
const frameSchema = z.object({
  v: z.literal(1),
  de: z.string(),
  n: z.number(),
  em: z.optional(z.number()),
  itens: z.optional(packetsSchema),
  /** Requests of the packets, in their order. Null: none. Absent: no packet has one. */
  pedidos: z.optional(z.array(z.nullable(z.string()))),
  linha: z.optional(z.string()),
})

/** Groups packets in their order. A group fits into one frame, except a single packet that is larger. */
export function groupPackets(packets: readonly Packet[]): Packet[][] {
  const groups: Packet[][] = []
  let bytes = 0
  for (const packet of packets) {
    const size = packetBytes(packet)
    const last = groups.at(-1)
    if (last !== undefined && bytes + size <= FRAME_BYTES) {
      last.push(packet)
      bytes += size
    } else {
      groups.push([packet])
      bytes = size
    }
  }
  return groups
}

export function isLarge(group: readonly Packet[]): boolean {
  const [only] = group
  return only !== undefined && packetBytes(only) > FRAME_BYTES
}

/** Room for the sender, the number and the brackets of the frame is part of the first packet's share. */
function packetBytes({ channel, data, request = '' }: Packet): number {
  return Buffer.byteLength(JSON.stringify([channel, data])) + request.length + 110
}

export function sealFrame({ sender, n, at, content }: Frame, { seal }: Pick<FrameSeal, 'seal'>): string {
  const rest = 'row' in content ? { linha: content.row } : { itens: toPairs(content) }
  const requests = requestsOf('row' in content ? [content] : content)
  return seal(JSON.stringify({ v: 1, de: sender, n, ...(at === null ? {} : { em: at }), ...requests, ...rest }), PLACE)
}

function requestsOf(packets: readonly Pick<Packet, 'request'>[]): { readonly pedidos?: readonly (string | null)[] } {
  if (packets.every(({ request }) => request === undefined)) return {}
  return { pedidos: packets.map(({ request }) => request ?? null) }
}

/** Throws for a frame of another version or of a node with another secret. */
export function openFrame(payload: string, { open }: Pick<FrameSeal, 'open'>): Frame {
  const { de, n, em = null, itens = [], pedidos = [], linha } = frameSchema.parse(JSON.parse(open(payload, PLACE)))
  const content = linha === undefined ? toPackets(itens, pedidos) : { row: linha, request: pedidos[0] ?? undefined }
  return { sender: de, n, at: em, content }
}

export function sealRow(packets: readonly Packet[], { seal }: Pick<FrameSeal, 'seal'>): string {
  return seal(JSON.stringify(toPairs(packets)), PLACE)
}

export function openRow(body: string, { open }: Pick<FrameSeal, 'open'>, request: string | undefined): Packet[] {
  return toPackets(packetsSchema.parse(JSON.parse(open(body, PLACE))), [request ?? null])
}

const toPairs = (packets: readonly Packet[]): [string, string][] => packets.map(({ channel, data }) => [channel, data])

const toPackets = (pairs: readonly (readonly [string, string])[], requests: readonly (string | null)[]): Packet[] =>
  pairs.map(([channel, data], index) => ({ channel, data, request: requests[index] ?? undefined }))
