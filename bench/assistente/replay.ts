import { createPool, findEmbedded } from '@balcao/server/bench'
import { type Product, startProduct } from '@balcao/e2e/product.ts'
import { at, prepareContaWithBot } from '@balcao/e2e/ready-conta.ts'
import { percentile } from '../messages/meters.ts'
import { atMost, exactly, figure, type Section, shown } from '../report.ts'

const CONVERSAS = 5_000
const PER_CONVERSA = 8
const GOAL_S = 30
/** The longest answer of another request meanwhile. */
const OTHERS_GOAL_MS = 250
const DAYS = 25
/** The messages of each customer, in turn. Every tenth customer asks for a person. */
const TEXTS = ['oi', '4', 'qual o preço?', 'menu', '3', 'obrigada!', 'menu', '4']

type Pool = ReturnType<typeof createPool>

const idOf = (ms: string, kind: number): string =>
  `(lpad(to_hex((${ms})::bigint), 12, '0') || '7000800${kind}' || lpad(to_hex(n), 12, '0'))::uuid`
const START = (now: number): string => `${now - DAYS * 86_400_000} + n::bigint * ${(DAYS * 86_400_000) / CONVERSAS}`

async function fillConversas(pool: Pool): Promise<void> {
  const client = await pool.connect()
  const began = START(Date.now())
  const conta = "(select conta_id from usuarios where email = 'ana@aurora.com.br')"
  const all = `generate_series(1, ${CONVERSAS}) n`
  try {
    await client.query("set app.contas = '*'; set session_replication_role = replica")
    await client.query(
      `insert into contatos (conta_id, id, nome, telefone, endereco)
       select ${conta}, ${idOf(began, 1)}, 'Cliente ' || n, '55119' || (10000000 + n), 'tel:55119' || (10000000 + n) from ${all}`,
    )
    await client.query(
      `insert into conversas (conta_id, id, contato_id, status, iniciada_em, ultima_atividade, finalizada_em, motivo_fim)
       select ${conta}, ${idOf(began, 2)}, ${idOf(began, 1)}, 'finalizada', to_timestamp((${began}) / 1000.0),
         to_timestamp((${began}) / 1000.0 + 600), to_timestamp((${began}) / 1000.0 + 600), 'expirada' from ${all}`,
    )
    await client.query(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select ${conta}, ${idOf(`${began} + 60000 * s`, 3)}, ${idOf(began, 2)}, 'entrada', 'cliente',
         case when s = ${PER_CONVERSA} and n % 10 = 0 then 'atendente' else ($1::text[])[s] end, 'simulador', 'entregue',
         to_timestamp((${began}) / 1000.0 + 60 * s) from ${all} cross join generate_series(1, ${PER_CONVERSA}) s`,
      [TEXTS],
    )
    await client.query('set session_replication_role = origin')
    await client.query('vacuum (analyze) conversas, mensagens, contatos')
  } finally {
    client.release(true)
  }
}

async function openPool(product: Product): Promise<Pool> {
  const target = await findEmbedded(product)
  if (target === null) throw new Error('product without a database')
  return createPool(target, { max: 1, statementTimeoutMs: 600_000 })
}

/** Replays 5,000 conversas of 25 days through a draft, while another request is answered again and again. */
export async function measureReplay(): Promise<Section> {
  const product = await startProduct({ LOG_LEVEL: 'error', REQUISICOES_POR_CONTA: '100000' })
  try {
    const { apis } = await prepareContaWithBot(product, { logins: 2, menu: { digitando: false } })
    const [api, other] = apis
    if (api === undefined || other === undefined) throw new Error('login missing')
    const pool = await openPool(product)
    await fillConversas(pool)
    await pool.end()
    const config = Object(at(await api.get('/config'), 'config'))
    const mensagens = { ...Object(at(config, 'menu', 'mensagens')), boasVindas: 'Bem-vindo!' }
    const draft = { ...config, menu: { ...Object(at(config, 'menu')), mensagens } }
    const start = performance.now()
    let running = true
    const replayed = api.post('/config/ensaio', { config: draft, dias: 30 }).finally(() => (running = false))
    const waits: number[] = []
    while (running) {
      const asked = performance.now()
      await other.get('/config/versoes?limite=1')
      waits.push(performance.now() - asked)
    }
    const report = await replayed
    const seconds = (performance.now() - start) / 1_000
    return {
      title: `Replay: ${CONVERSAS} conversations with ${PER_CONVERSA} messages each, with two configurations`,
      lines: [
        atMost('whole replay', seconds, GOAL_S, 's'),
        exactly('conversations', Number(at(report, 'conversas')), CONVERSAS),
        exactly('conversations with a difference', CONVERSAS - Number(at(report, 'iguais')), CONVERSAS),
        exactly('handed to people', Number(at(report, 'transferencias', 'antes')), CONVERSAS / 10),
        shown('messages of the bot before', figure(Number(at(report, 'mensagens', 'antes')))),
        atMost('another request meanwhile, p99', percentile(waits, 99), OTHERS_GOAL_MS, 'ms'),
      ],
      notes: ['The draft has another greeting, so each conversation differs.'],
    }
  } finally {
    await product.destroy()
  }
}
