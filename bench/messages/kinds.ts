import type { Config } from '@balcao/contract/entities/config'
import {
  type Ai,
  type BotBench,
  firstLine,
  openBotBench,
  type Realtime,
  type RuntimeOptions,
} from '@balcao/server/bench'
import { recordStatements, type RecordedDatabase } from '@balcao/server/testing'
import {
  type BenchCustomer,
  createCustomerPhones,
  type CustomerPhones,
  type ExpectedReply,
  handInToRuntime,
} from './customers.ts'
import { benchConfig } from './config.ts'

export type Kind = {
  readonly name: string
  readonly replies: readonly ExpectedReply[]
  /** Turns that the bot takes, if more than one. */
  readonly turns?: number
} & (
  | { readonly text: string }
  /** An act of a person in the panel. */
  | { readonly act: 'atendenteFinalizou' }
)

/** Every kind of turn, in the order in which one customer plays them. */
export const KINDS = {
  first: { name: 'first message', text: 'oi', replies: [/^Olá/, /^Menu/] },
  option: { name: 'menu option', text: '1', replies: [/abrimos/] },
  miss: { name: 'not understood', text: 'xyz', replies: [/não entendi/, /^Menu/] },
  shop: { name: 'shop list', text: '3', replies: [/Bolo de fubá/] },
  product: { name: 'product with picture', text: '1', replies: [/^\*Bolo de fubá/] },
  menu: { name: 'menu', text: 'menu', replies: [/^Menu/] },
  question: {
    name: 'question to the assistant and its answer',
    turns: 2,
    text: 'quanto custa?',
    replies: [/^Sou o/, /^ECO/],
  },
  back: { name: 'back to the menu', text: 'menu', replies: [/^Menu/] },
  handover: { name: 'hand-off to people', text: '4', replies: [/^Protocolo \d{8}-\d{4}/] },
  toPerson: { name: 'message to a person', text: 'alguém aí?', replies: [] },
  finish: { name: 'finish by a person', act: 'atendenteFinalizou', replies: [/^Até logo/, /.+/] },
  rating: { name: 'rating', text: '5', replies: [/.+/] },
} as const satisfies Record<string, Kind>

export const ALL_KINDS: readonly Kind[] = Object.values(KINDS)

/** An order in a shop that takes orders. A customer plays them in this order. */
export const ORDER_KINDS = {
  first: KINDS.first,
  shop: KINDS.shop,
  item: { name: 'order of a product', text: '2 bolos de fubá', replies: [/Subtotal/] },
  summary: { name: 'summary of an order', text: 'fechar', replies: [/Resumo do pedido/] },
  confirm: { name: 'confirmation of an order', text: 'confirmar', replies: [/^✅ Pedido nº \d+ recebido/] },
} as const satisfies Record<string, Kind>

const ALL_DAY = [{ inicio: '00:00', fim: '24:00' }]
const OPEN_ALWAYS = { seg: ALL_DAY, ter: ALL_DAY, qua: ALL_DAY, qui: ALL_DAY, sex: ALL_DAY, sab: ALL_DAY, dom: ALL_DAY }

/** Pick-up and one way of payment: the shop asks for neither. */
function ordersConfig(): Config {
  const config = kindsConfig()
  return { ...config, loja: { ...config.loja, pedidos: true, pagamentos: ['cartao'] } }
}

function kindsConfig(): Config {
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
const instantAi: Ai = {
  answer: ({ pergunta }) => Promise.resolve({ tipo: 'texto', texto: `ECO ${pergunta}` }),
}

export interface KindsBench {
  readonly botBench: BotBench
  readonly phones: CustomerPhones
  /** Creates a conta whose shop has one product, and takes orders if asked to. */
  readonly createConta: (shop?: { readonly orders: boolean }) => Promise<string>
  /** Plays one turn. Returns the milliseconds until the last reply, or until the turn is stored when none is due. */
  readonly play: (customer: BenchCustomer, kind: Kind) => Promise<number>
  /** From now on a window of the panel is open for every conta, or none is. */
  readonly openWindows: (open: boolean) => void
  /** Statements since the start. */
  readonly statements: () => number
}

export async function openKindsBench(options: RuntimeOptions = {}): Promise<KindsBench> {
  const contatoIds = new Map<string, string>()
  // The panel learns a contact's id from this event.
  const published: Realtime['publish'] = (_, name, payload) => {
    if (name === 'botConversaAtiva' && 'telefone' in payload && 'id' in payload) {
      contatoIds.set(String(payload.telefone), String(payload.id))
    }
  }
  const recordings: RecordedDatabase[] = []
  let watched = false
  const botBench = await openBotBench({
    ...{ ...options, config: kindsConfig(), ai: instantAi, published, watched: () => watched },
    observe: (db) => {
      const recording = recordStatements(db)
      recordings.push(recording)
      return recording.db
    },
  })
  const phones = createCustomerPhones()
  botBench.onPhoneMessage(phones.receive)
  const handIn = handInToRuntime(botBench)
  let counted = 0
  return {
    botBench,
    phones,
    createConta: async ({ orders } = { orders: false }) => {
      const contaId = await botBench.createConta(orders ? { config: ordersConfig() } : {})
      await addProduct(botBench, contaId)
      return contaId
    },
    play: async (customer, kind) => {
      const start = performance.now()
      const answered = phones.expect(customer.telefone, kind.replies)
      if ('text' in kind) await handIn(customer, botBench.ids.uuid(), kind.text)
      else await act(botBench, customer.contaId, contatoIds.get(customer.telefone), kind.act)
      await answered
      return performance.now() - start
    },
    openWindows: (open) => {
      watched = open
    },
    statements: () => {
      for (const { transactions } of recordings) for (const names of transactions.splice(0)) counted += names.length
      return counted
    },
  }
}

async function addProduct({ db, ids, runtime }: BotBench, contaId: string): Promise<void> {
  await db.transaction(contaId, async (tx) => {
    await tx.query(
      `insert into produtos (conta_id, id, nome, descricao, preco, ordem, imagem_url)
       values ($1, $2, 'Bolo de fubá', 'Com goiabada', 32.5, 1, $3)`,
      [contaId, ids.uuid(), `/api/imagens/${ids.uuid()}.webp`],
    )
  })
  runtime.bots.contextChanged(contaId)
}

async function act(
  { runtime }: BotBench,
  contaId: string,
  contatoId: string | undefined,
  tipo: 'atendenteFinalizou',
): Promise<void> {
  if (contatoId === undefined) throw new Error('the contact has not written yet')
  await runtime.applyEvent({ ...firstLine(contaId), contatoId }, (base) => ({ tipo, ...base }))
}
