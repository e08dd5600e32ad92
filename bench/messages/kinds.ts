import type { Ai, BotBench } from '@balcao/server/bench'
import type { Config } from '@balcao/contract/entities/config'
import { type BenchCustomer, type CustomerPhones, type ExpectedReply, handInToRuntime } from './customers.ts'
import { benchConfig } from './config.ts'
import { type CpuUse, meterCpu, percentile } from './meters.ts'

/** Every kind of turn, in the order in which one customer plays them. */
export const KINDS = [
  { name: 'first message', text: 'oi', replies: [/^Olá/, /^Menu/] },
  { name: 'menu option', text: '1', replies: [/abrimos/] },
  { name: 'not understood', text: 'xyz', replies: [/não entendi/, /^Menu/] },
  { name: 'shop list', text: '3', replies: [/Bolo de fubá/] },
  { name: 'product detail', text: '1', replies: [/^\*Bolo de fubá/] },
  { name: 'menu', text: 'menu', replies: [/^Menu/] },
  { name: 'question to the assistant', text: 'quanto custa?', replies: [/^ECO/] },
  { name: 'back to the menu', text: 'menu', replies: [/^Menu/] },
  { name: 'hand-off to people', text: '4', replies: [/^Protocolo \d{8}-\d{4}/] },
  { name: 'message to a person', text: 'alguém aí?', replies: [] },
  { name: 'finish by a person', act: 'atendenteFinalizou', replies: [/^Até logo/, /.+/] },
  { name: 'rating', text: '5', replies: [/.+/] },
] as const satisfies readonly Kind[]

type Kind = { readonly name: string; readonly replies: readonly ExpectedReply[] } & (
  | { readonly text: string }
  | { readonly act: 'atendenteFinalizou' }
)

export type KindName = (typeof KINDS)[number]['name']

const ALL_DAY = [{ inicio: '00:00', fim: '24:00' }]
const OPEN_ALWAYS = { seg: ALL_DAY, ter: ALL_DAY, qua: ALL_DAY, qui: ALL_DAY, sex: ALL_DAY, sab: ALL_DAY, dom: ALL_DAY }

export function kindsConfig(): Config {
  const config = benchConfig()
  const comportamentos = { ...config.ia.comportamentos, sempreResponder: false }
  return {
    ...config,
    gemini: { apiKey: 'chave-do-banco-de-provas' },
    ia: { ...config.ia, ativa: true, esperaSegundos: 0, gatilhos: ['quanto'], comportamentos },
    menu: {
      ...config.menu,
      opcoes: [
        ...config.menu.opcoes,
        { numero: '3', titulo: 'Loja', tipo: 'loja', resposta: '' },
        { numero: '4', titulo: 'Atendente', tipo: 'humano', setor: 'vendas', resposta: 'Protocolo {protocolo}.' },
      ],
    },
    atendimento: {
      ...config.atendimento,
      horario: { ...config.atendimento.horario, dias: OPEN_ALWAYS, excecoes: [] },
      setores: [{ id: 'vendas', nome: 'Vendas', cor: 'blue', ativo: true, criadoEm: '2026-01-01T00:00:00Z' }],
    },
  }
}

/** Answers without a provider, so that the measured time is the product's own. */
export const instantAi: Ai = {
  answer: ({ pergunta }) => Promise.resolve({ tipo: 'texto', texto: `ECO ${pergunta}` }),
}

/** Adds the product that the shop shows. */
export async function addProduct({ db, ids, runtime }: BotBench, contaId: string): Promise<void> {
  await db.transaction(contaId, async (tx) => {
    await tx.query(
      `insert into produtos (conta_id, id, nome, descricao, preco, ordem, imagem_url)
       values ($1, $2, 'Bolo de fubá', 'Com goiabada', 32.5, 1, $3)`,
      [contaId, ids.uuid(), `/api/imagens/${ids.uuid()}.webp`],
    )
  })
  runtime.bots.contextChanged(contaId)
}

export interface KindPlayer {
  /** Plays one turn. Returns the milliseconds until the last reply, or until the turn is stored when none is due. */
  readonly play: (customer: BenchCustomer, kind: Kind) => Promise<number>
}

export function createKindPlayer(house: BotBench, phones: CustomerPhones): KindPlayer {
  const handIn = handInToRuntime(house)
  return {
    play: async (customer, kind) => {
      const start = performance.now()
      const answered = phones.expect(customer.telefone, kind.replies)
      if ('text' in kind) await handIn(customer, house.ids.uuid(), kind.text)
      else await finish(house, customer)
      await answered
      return performance.now() - start
    },
  }
}

const contatoIds = new Map<string, string>()

async function finish({ runtime }: BotBench, { contaId, telefone }: BenchCustomer): Promise<void> {
  const contatoId = contatoIds.get(telefone)
  if (contatoId === undefined) throw new Error(`unknown customer: ${telefone}`)
  await runtime.applyEvent(contaId, contatoId, (base) => ({ tipo: 'atendenteFinalizou', ...base }))
}

/** Reads the ids of the account's contacts, which an operator's panel knows. */
export async function learnContatos({ db }: BotBench, contaId: string): Promise<void> {
  const rows = await db.transaction(contaId, async (tx) => {
    const found = await tx.query<{ id: string; telefone: string }>(
      'select id, telefone from contatos where conta_id = $1',
      [contaId],
    )
    return found.rows
  })
  for (const { id, telefone } of rows) contatoIds.set(telefone, id)
}

export interface Played {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Seconds per thousand turns. */
  readonly cpu: number
  /** Statements per hundred turns. */
  readonly statements: number
}

/** Plays `turns` with at most `inFlight` at once, and waits until everything is stored, sent and marked. */
export async function playAll(
  house: BotBench,
  turns: readonly (() => Promise<number>)[],
  { inFlight, statements }: { readonly inFlight: number; readonly statements: () => number },
): Promise<Played> {
  const cpu = meterCpu(house.dataDir)
  const before = statements()
  const start = performance.now()
  const times: number[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let turn = turns[next++]; turn !== undefined; turn = turns[next++]) times.push(await turn())
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  await house.runtime.idle()
  const seconds = (performance.now() - start) / 1_000
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    cpu: (total(cpu()) / times.length) * 1_000,
    statements: ((statements() - before) / times.length) * 100,
  }
}

function total({ nodeS, postgresS }: CpuUse): number {
  return nodeS + postgresS
}
