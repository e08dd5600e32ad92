import {
  estimateWait,
  namesQueuePlace,
  type QueuePlace,
  WAITS_COUNTED,
} from '@balcao/engine/atendimento/waiting-estimate'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { claimCarts } from '#modules/cardapio/index.ts'
import { holdCurrentSetores } from '#modules/configuracao/index.ts'
import { didPersonWrite, takeProtocolos } from '#modules/conversas/index.ts'
import { readSetorQueues } from '#modules/distribuicao/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import type { AccountContext } from '#modules/ia/index.ts'
import { confirmPedidos } from '#modules/pedidos/index.ts'
import { type Plan, planTurn } from './decide.ts'
import type { Answer } from './engine.ts'

type NeedDeps = Pick<Deps, 'vault' | 'reservedDb' | 'bots' | 'ids' | 'realtime'>

/** Answers the needs of a batch, one statement per kind. Returns an entry per plan, null for a plan without a need. */
export async function answerNeeds(tx: Tx, deps: NeedDeps, plans: readonly Plan[]): Promise<(Answer | null)[]> {
  const answers: (Answer | null)[] = plans.map(() => null)
  for (const { index, ...handover } of await handOver(tx, deps, plans)) answers[index] = handover
  for (const { index, outcome } of await makeOrders(tx, deps, plans)) answers[index] = { tipo: 'order', outcome }
  for (const { index, wrote } of await findWriters(tx, plans)) answers[index] = { tipo: 'personWrote', wrote }
  return answers
}

/** Gives the carts of the codes in the messages to their senders, and plans these turns again with them. */
export async function findCarts(tx: Tx, plans: readonly Plan[]): Promise<readonly Plan[]> {
  const asked = plans.flatMap(({ step, input: { context, contato, now } }, index) =>
    step?.need?.tipo === 'cart'
      ? [{ index, contaId: context.contaId, contatoId: contato.id, codigos: step.need.codigos, now }]
      : [],
  )
  if (asked.length === 0) return plans
  const carts = new Map((await claimCarts(tx, asked)).map((cart, n) => [asked[n]?.index, cart]))
  return plans.map((plan, index) => {
    const carrinho = carts.get(index)
    return carrinho === undefined ? plan : planTurn({ ...plan.input, carrinho })
  })
}

async function handOver(tx: Tx, deps: NeedDeps, plans: readonly Plan[]) {
  const wanted = plans.flatMap(({ step, input: { context, day } }, index) =>
    step?.need?.tipo === 'handover'
      ? [{ index, contaId: context.contaId, day, setorId: step.need.setor, known: context }]
      : [],
  )
  if (wanted.length === 0) return []
  const [setores, protocolos] = await Promise.all([holdCurrentSetores(tx, deps, wanted), takeProtocolos(deps, wanted)])
  const handed = protocolos.map(({ setorId, ...other }, n) => ({ ...other, setor: setores[n] ?? setorId }))
  const places = await readPlaces(tx, handed)
  return handed.map((one) => {
    const { index, setor, protocolo } = one
    const fila = places.get(one)
    return { index, tipo: 'handover', setor, protocolo, ...(fila === undefined ? {} : { fila }) } as const
  })
}

/** The places in the queues, in the order of the batch, for contas whose text names them. */
async function readPlaces<H extends { contaId: string; setor: string; known: AccountContext }>(
  tx: Tx,
  handed: readonly H[],
): Promise<Map<H, QueuePlace>> {
  const asked = handed.filter(({ known }) => namesQueuePlace(known.config.menu.mensagens.aguardandoAtendente))
  if (asked.length === 0) return new Map()
  const queues = await readSetorQueues(tx, { i: asked, max: WAITS_COUNTED })
  const ahead = new Map<string, number>()
  return new Map(
    asked.map((one, n) => {
      const key = `${one.contaId} ${one.setor}`
      const before = ahead.get(key) ?? 0
      ahead.set(key, before + 1)
      const { waiting = 0, waits = [] } = queues[n] ?? {}
      return [one, { posicao: waiting + before + 1, espera: estimateWait(waits) }]
    }),
  )
}

async function makeOrders(tx: Tx, deps: NeedDeps, plans: readonly Plan[]) {
  const asked = plans.flatMap(({ step, name, input: { turn, contato, context, day, now } }, index) => {
    if (step?.need?.tipo !== 'order') return []
    const { cart } = step.need
    const cupomId = context.cupons.find(({ codigo }) => codigo === cart.cupom)?.id ?? null
    const { contaId, empresa, config } = context
    const cliente = nameOrPhone({ ...contato, nome: name })
    const who = { contaId, linhaId: turn.linhaId, contatoId: contato.id, conversaId: contato.conversaId }
    return [{ index, ...who, cliente, empresa, config, cupomId, cart, day, now }]
  })
  if (asked.length === 0) return []
  return (await confirmPedidos(tx, deps, asked)).map(({ request: { index }, outcome }) => ({ index, outcome }))
}

async function findWriters(tx: Tx, plans: readonly Plan[]) {
  const asked = plans.flatMap(({ step, input: { context } }, index) =>
    step?.need?.tipo === 'personWrote' ? [{ ...step.need, index, contaId: context.contaId }] : [],
  )
  return asked.length === 0 ? [] : didPersonWrite(tx, asked)
}
