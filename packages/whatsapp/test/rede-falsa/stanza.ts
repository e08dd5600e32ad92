import type { BinaryNode } from 'baileys'

export const SERVER = 's.whatsapp.net'

/** Builds a stanza. Undefined attributes are left out. */
export function stanza(
  tag: string,
  attrs: Readonly<Record<string, string | undefined>> = {},
  content?: BinaryNode['content'],
): BinaryNode {
  const present: Record<string, string> = {}
  for (const [name, valor] of Object.entries(attrs)) if (valor !== undefined) present[name] = valor
  return content === undefined ? { tag, attrs: present } : { tag, attrs: present, content }
}

export function childrenOf(parent: BinaryNode | undefined, tag?: string): BinaryNode[] {
  if (!Array.isArray(parent?.content)) return []
  return parent.content.filter((filha) => tag === undefined || filha.tag === tag)
}

export function childOf(parent: BinaryNode | undefined, tag?: string): BinaryNode | undefined {
  return childrenOf(parent, tag)[0]
}

export function bytesOf(node: BinaryNode | undefined): Buffer {
  const conteudo = node?.content
  if (conteudo instanceof Uint8Array) return Buffer.from(conteudo)
  return typeof conteudo === 'string' ? Buffer.from(conteudo) : Buffer.alloc(0)
}

export function toBytes(value: number, width: number): Buffer {
  const bytes = Buffer.alloc(width)
  bytes.writeUIntBE(value, 0, width)
  return bytes
}

export function integerOf(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes)
  return buffer.length === 0 ? 0 : buffer.readUIntBE(0, buffer.length)
}

/** Unix time in seconds. */
export function unixTime(): string {
  return String(Math.floor(Date.now() / 1000))
}

/** `5511…:3@s.whatsapp.net` → `5511…` */
export function userOf(jid: string): string {
  return /^[^@:_]*/.exec(jid)?.[0] ?? ''
}

/** `5511…:3@s.whatsapp.net` → 3; the phone itself is 0. */
export function deviceNumberOf(jid: string): number {
  return Number(/:(\d+)@/.exec(jid)?.[1] ?? 0)
}
