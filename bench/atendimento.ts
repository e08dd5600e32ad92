import { createApi } from '@balcao/e2e/api.ts'
import { abrirLoja, at, type LojaPronta, login, until } from '@balcao/e2e/loja-pronta.ts'
import { type Product, startProduct } from '@balcao/e2e/product.ts'
import { carregar, type Pedido } from './atendimento/carga.ts'
import { medirLeque } from './atendimento/leque.ts'
import { medirNoNavegador } from './atendimento/navegador.ts'
import { mediana, percentil } from './messages/meters.ts'
import { atLeast, atMost, figure, type Line, type Section, shown } from './report.ts'

const CONVERSAS = 10_000
const MENSAGENS_DA_LONGA = 2_000
const LOGINS = 60
const SEGUNDOS = 8
const LISTA = 40
const PAGINAS = 200
/** The most operators a conta may have. Each opens two windows. */
const OPERADORES = 50

/** Requests a second of Whaticket on a similar machine. The goal is three times as many. */
const WHATICKET = { lista: 384, mensagens: 359, envio: 153 }

const cliente = (n: number): { nome: string; telefone: string } => ({
  nome: `Cliente ${n}`,
  telefone: `+55119${String(20_000_000 + n)}`,
})
const FALANTE = { nome: 'Dona Lúcia', telefone: '+5511977770000' }

async function emParalelo(total: number, largura: number, fazer: (n: number) => Promise<void>): Promise<void> {
  let n = 0
  const via = async (): Promise<void> => {
    for (let vez = n++; vez < total; vez = n++) await fazer(vez)
  }
  await Promise.all(Array.from({ length: largura }, via))
}

/** Ten thousand customers ask for an operator through the bot; the one named FALANTE sends two thousand messages. */
async function encher({ apis: [api] }: LojaPronta): Promise<{ ids: string[]; longa: string }> {
  if (api === undefined) throw new Error('login missing')
  await emParalelo(CONVERSAS, 50, async (n) => {
    await api.post('/simulador/mensagens', { ...cliente(n), texto: 'atendente' })
  })
  await api.post('/simulador/mensagens', { ...FALANTE, texto: 'atendente' })
  for (let n = 0; n < MENSAGENS_DA_LONGA; n += 1) {
    await api.post('/simulador/mensagens', { ...FALANTE, texto: `e mais uma coisa: ${n}` })
  }
  const total = async (): Promise<unknown> => at(await api.get('/atendimento/estatisticas'), 'total')
  await until(async () => (await total()) === CONVERSAS + 1, 1_000)
  const lista = at(await api.get('/atendimento/conversas?limite=200&mensagens=0'), 'conversas')
  if (!Array.isArray(lista)) throw new Error('list of conversas missing')
  const ids = lista.map((conversa: unknown) => String(at(conversa, 'id')))
  const longa: unknown = lista.find((conversa: unknown) => at(conversa, 'cliente', 'nome') === FALANTE.nome)
  return { ids, longa: String(at(longa, 'id')) }
}

/** Cursors of the list pages, far more than an operator would scroll. */
async function paginas({ apis }: LojaPronta): Promise<string[]> {
  const cursores: string[] = []
  let depois = ''
  while (cursores.length < PAGINAS) {
    // The tokens take turns because each token has its own request limit.
    const pagina = await apis[cursores.length % apis.length]?.get(
      `/atendimento/conversas?limite=${LISTA}&mensagens=0${depois}`,
    )
    const cursor = String(at(pagina, 'proximoCursor'))
    cursores.push(encodeURIComponent(cursor))
    depois = `&cursor=${encodeURIComponent(cursor)}`
  }
  return cursores
}

async function contratar({ url }: Product, { apis: [api] }: LojaPronta): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 0; n < OPERADORES; n += 1) {
    const [email, senha] = [`operador${n}@bench.local`, 'senha-do-operador-1']
    await api?.post('/conta/operadores', { nome: `Operador ${n}`, email, senha, setores: [] })
    tokens.push((await login(url, email, senha)).token)
  }
  return tokens
}

async function medir(
  { url }: Product,
  { tokens }: LojaPronta,
  nome: string,
  /** Requests a second of Whaticket; null if there is nothing to compare with. */
  deles: number | null,
  pedido: (n: number) => Pedido,
): Promise<Line[]> {
  await carregar(url, tokens, 2, (n) => pedido(n + 1_000_000))
  const { tempos, segundos } = await carregar(url, tokens, SEGUNDOS, pedido)
  return [
    deles === null
      ? shown(nome, figure(tempos.length / segundos, 'req/s'))
      : atLeast(nome, tempos.length / segundos, deles * 3, 'req/s'),
    shown(`${nome}, p99`, figure(percentil(tempos, 99), 'ms')),
  ]
}

export async function measureAtendimento(): Promise<Section[]> {
  const product = await startProduct({ LOG_LEVEL: 'error' })
  try {
    const loja = await abrirLoja(product, { limiteMensagensDia: 1_000_000, logins: LOGINS, menu: { digitando: false } })
    const { ids, longa } = await encher(loja)
    const cursores = await paginas(loja)
    const api = [
      ...(await medir(product, loja, `list of ${LISTA} conversations`, WHATICKET.lista, () => ({
        metodo: 'GET',
        caminho: `/atendimento/conversas?limite=${LISTA}&mensagens=0`,
      }))),
      ...(await medir(product, loja, `list of ${LISTA}, each connection another page`, null, (n) => ({
        metodo: 'GET',
        caminho: `/atendimento/conversas?limite=${LISTA}&mensagens=0&cursor=${cursores[n % PAGINAS]}`,
      }))),
      ...(await medir(product, loja, "a conversation's last 50 messages", WHATICKET.mensagens, () => ({
        metodo: 'GET',
        caminho: `/atendimento/conversas/${longa}/mensagens?limite=50`,
      }))),
      ...(await medir(product, loja, 'an operator sends', WHATICKET.envio, (n) => ({
        metodo: 'POST',
        caminho: `/atendimento/conversas/${ids[n % ids.length]}/mensagem`,
        corpo: { mensagem: `resposta ${n}`, idTemporario: `carga-${n}` },
      }))),
    ]
    const dona = createApi(product.url, loja.tokens[0], 'aberta')
    const leque = await medirLeque(product.url, await contratar(product, loja), dona, FALANTE)
    const doLeque = (qual: number): number => mediana(leque.map((rodada) => percentil(rodada, qual)))
    const { envios, interacoes } = await medirNoNavegador(product.url, longa)
    return [
      {
        titulo: `People: the API with ${figure(CONVERSAS)} open conversations, 10 connections`,
        linhas: api,
        notas: [
          'The goals are three times what Whaticket does on such a machine; its p99 was 38 ms for the list and 117 ms to send.',
          'Equal questions that wait at the same moment share one reading of the database: the row of other pages shows what each costs alone.',
        ],
      },
      {
        titulo: `People: a customer writes, ${OPERADORES} operators look from two windows each`,
        linhas: [
          shown("message posted to an operator's socket, p50", figure(doLeque(50), 'ms')),
          atMost("message posted to an operator's socket, p99", doLeque(99), 12, 'ms'),
        ],
        notas: [`Medians of ${leque.length} rounds, one message at a time.`],
      },
      {
        titulo: `People: an operator's browser, ${figure(CONVERSAS)} open conversations`,
        linhas: [
          shown('Enter to the message shown as sent, p50', figure(percentil(envios, 50), 'ms')),
          shown('Enter to the message shown as sent, p99', figure(percentil(envios, 99), 'ms')),
          atMost('a click or a key to the next frame, p95', percentil(interacoes, 95), 50, 'ms'),
          shown('a click or a key to the next frame, the slowest', figure(Math.max(0, ...interacoes), 'ms')),
        ],
        notas: ['At the pace of somebody in a hurry: 300 ms between two clicks, 60 ms between two keys.'],
      },
    ]
  } finally {
    await product.destroy()
  }
}
