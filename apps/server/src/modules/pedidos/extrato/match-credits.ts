import type { Extrato } from '@balcao/contract/entities/pedido'
import type { Credit } from './read-statement.ts'

/** An order that waits for a payment through PIX, or that a credit names. */
export interface OpenPedido {
  readonly id: string
  readonly txid: string
  /** Local day of the order. */
  readonly dia: string
  readonly totalCentavos: number
  readonly estado: 'pendente' | 'informado' | 'confirmado'
  readonly cancelado: boolean
}

export interface CreditMatch {
  readonly credit: Credit
  readonly outcome:
    | { readonly tipo: 'confirmado'; readonly pedidoId: string }
    | { readonly tipo: 'duvidoso'; readonly pedidoIds: readonly string[] }
    | { readonly tipo: 'semPedido' | 'repetido' }
}

/** A PIX arrives at once. A bank may write that of a Friday night on Monday. */
export const DAYS_TO_ARRIVE = 3
const DAY_MS = 86_400_000

const TXID = /[0-9A-Za-z]{25}/g
const isTxidSign = (sign: string | undefined): boolean => sign !== undefined && /[0-9A-Za-z]/.test(sign)

/** Words of the length of a `txid`, in capitals. */
export function txidsIn(texto: string): string[] {
  return [...texto.matchAll(TXID)]
    .filter(({ index }) => !isTxidSign(texto[index - 1]) && !isTxidSign(texto[index + 25]))
    .map(([word]) => word.toUpperCase())
}

/** By `txid` first, whatever the sum. Then by sum and day, if one order and one credit have each other alone. */
export function matchCredits(credits: readonly Credit[], pedidos: readonly OpenPedido[]): CreditMatch[] {
  const byTxid = new Map(pedidos.map((pedido) => [pedido.txid, pedido]))
  const named = credits.map((credit) => txidsIn(credit.texto).flatMap((txid) => byTxid.get(txid) ?? [])[0] ?? null)
  const taken = new Set(named.flatMap((pedido) => pedido?.id ?? []))
  const free = pedidos.filter(({ id, cancelado, estado }) => !taken.has(id) && !cancelado && estado !== 'confirmado')
  const bySum = Map.groupBy(free, ({ totalCentavos }) => totalCentavos)
  const fitting = credits.map((credit, index) =>
    named[index] === null ? (bySum.get(credit.centavos) ?? []).filter((pedido) => mayPay(credit, pedido)) : [],
  )
  const wanted = new Map<string, number>()
  for (const { id } of fitting.flat()) wanted.set(id, (wanted.get(id) ?? 0) + 1)
  const paid = new Set<string>()
  return credits.map((credit, index): CreditMatch => {
    const pedido = named[index] ?? null
    if (pedido !== null) return { credit, outcome: outcomeOfNamed(credit, pedido, paid) }
    const candidates = fitting[index] ?? []
    const [only] = candidates
    if (only === undefined) return { credit, outcome: { tipo: 'semPedido' } }
    const alone = candidates.length === 1 && wanted.get(only.id) === 1
    if (alone) return { credit, outcome: { tipo: 'confirmado', pedidoId: only.id } }
    return { credit, outcome: { tipo: 'duvidoso', pedidoIds: candidates.map(({ id }) => id) } }
  })
}

function outcomeOfNamed(credit: Credit, pedido: OpenPedido, paid: Set<string>): CreditMatch['outcome'] {
  const { id, estado, cancelado, totalCentavos } = pedido
  if (cancelado || totalCentavos !== credit.centavos || paid.has(id)) return { tipo: 'duvidoso', pedidoIds: [id] }
  paid.add(id)
  return estado === 'confirmado' ? { tipo: 'repetido' } : { tipo: 'confirmado', pedidoId: id }
}

function mayPay({ dia }: Credit, pedido: OpenPedido): boolean {
  const days = (Date.parse(dia) - Date.parse(pedido.dia)) / DAY_MS
  return days >= 0 && days <= DAYS_TO_ARRIVE
}

export function toExtrato(matches: readonly CreditMatch[], repeated: number): Extrato {
  const extrato: Extrato = { confirmados: [], duvidosos: [], semPedido: 0, repetidos: repeated }
  for (const { credit, outcome } of matches) {
    const facts = { valorCentavos: credit.centavos, data: credit.dia }
    switch (outcome.tipo) {
      case 'confirmado':
        extrato.confirmados.push({ pedidoId: outcome.pedidoId, ...facts })
        break
      case 'duvidoso':
        extrato.duvidosos.push({ ...facts, pedidoIds: [...outcome.pedidoIds] })
        break
      case 'semPedido':
        extrato.semPedido += 1
        break
      case 'repetido':
        extrato.repetidos += 1
        break
    }
  }
  return extrato
}
