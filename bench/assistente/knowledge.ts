import { type Ai, type BotBench, createIa, openBotBench, searchKnowledge, startFonteReader } from '@balcao/server/bench'
import { createFakeGemini, madePdf } from '@balcao/server/testing'
import { configWithIa, IA_SCRIPT } from '../ia.ts'
import { benchConfig } from '../messages/config.ts'
import {
  createBenchCustomers,
  createCustomerPhones,
  type CustomerPhones,
  handInToRuntime,
  playScript,
  SCRIPT,
} from '../messages/customers.ts'
import { percentile } from '../messages/meters.ts'
import { atMost, figure, type Section, shown } from '../report.ts'

/** Pieces of 600 to 900 characters, as many as an account may have. */
const PIECES = 10_000
const PIECE_LETTERS = 700
const VOCABULARY = 12_000
const SEARCHES = 300
const QUESTIONS = 120
const TURNS = 400
const PDF_PAGES = 200
const READINGS = 4
const LINES_PER_PAGE = 45
const SYLLABLES =
  'ba be bi bo bu ca ce co da de di do fa fe fi ga go la le li lo ma me mi mo na no pa pe po ra re ri ro sa se so ta te ti to va ve vi'.split(
    ' ',
  )
/** Words that customers use, so that a question has frequent and rare words. */
const SHOP_WORDS =
  'entrega entregamos taxa bairro pagamento cartão pix horário domingo feriado troca prazo vacina banho pizza bolo fatia estacionamento vaga reserva encomenda'.split(
    ' ',
  )
const QUESTION_TEXTS = [
  'vcs entregam no bairro centro? qual a taxa',
  'que horas abre no feriado',
  'posso trocar o bolo que comprei ontem, qual o prazo?',
  'aceita cartao ou só pix',
  'tem estacionamento perto da pizzaria',
  'quanto custa o banho e a vacina pro meu cachorro, e precisa reservar?',
]

function createRandom(): () => number {
  let state = 20_261_129
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Words as in a language: few are frequent, most are rare. */
function createWords(): () => string {
  const random = createRandom()
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const made = Array.from({ length: VOCABULARY }, () => [pick(SYLLABLES), pick(SYLLABLES), pick(SYLLABLES)].join(''))
  return () => (random() < 0.08 ? pick(SHOP_WORDS) : (made[Math.floor(VOCABULARY * random() ** 3)] ?? ''))
}

function sentence(word: () => string, letters: number): string {
  let text = word()
  while (text.length < letters) text += ` ${word()}`
  return `${text}.`
}

async function insertFile({ db, ids }: BotBench, contaId: string, name: string, bytes: Buffer): Promise<string> {
  const id = ids.uuid()
  await db.transaction(contaId, (tx) =>
    tx.query(
      `insert into fontes (conta_id, id, tipo, titulo, arquivo, conteudo, estado, bytes, criada_em, ler_em)
       values ($1, $2, 'arquivo', 'Fonte', $3, $4, 'lendo', 1, now(), now())`,
      [contaId, id, name, bytes],
    ),
  )
  return id
}

async function stateOf({ db }: BotBench, contaId: string, id: string): Promise<{ estado: string; trechos: number }> {
  const { rows } = await db.transaction(contaId, (tx) =>
    tx.query<{ estado: string; trechos: number }>(
      'select estado, trechos from fontes where conta_id = $1 and id = $2',
      [contaId, id],
    ),
  )
  const [row] = rows
  if (row === undefined || row.estado === 'falhou') throw new Error(`source not read: ${JSON.stringify(row)}`)
  return row
}

/** Resolves with the number of pieces, after the reading. */
async function untilRead(botBench: BotBench, contaId: string, id: string): Promise<number> {
  for (;;) {
    const { estado, trechos } = await stateOf(botBench, contaId, id)
    if (estado === 'pronta') return trechos
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function giveKnowledge(botBench: BotBench, contaId: string): Promise<number> {
  const word = createWords()
  // Each line fills a piece, because a second one would make it too long.
  const lines = Array.from({ length: PIECES }, () => sentence(word, PIECE_LETTERS))
  const id = await insertFile(botBench, contaId, 'tudo.txt', Buffer.from(lines.join('\n')))
  const reader = startFonteReader(botBench)
  const pieces = await untilRead(botBench, contaId, id)
  await reader.stop()
  await botBench.analyze()
  return pieces
}

async function measureSearches(botBench: BotBench, contaId: string): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < SEARCHES; n += 1) {
    const start = performance.now()
    await searchKnowledge(botBench, contaId, QUESTION_TEXTS[n % QUESTION_TEXTS.length] ?? '')
    times.push(performance.now() - start)
  }
  return times.slice(20)
}

/** Menu replies to customers, one by one. `until`: goes on at least so long. */
async function measureTurns(
  botBench: BotBench,
  phones: CustomerPhones,
  contaId: string,
  until: () => boolean = () => true,
): Promise<number[]> {
  const enter = handInToRuntime(botBench)
  const times: number[] = []
  do {
    for (const customer of createBenchCustomers(contaId, until() ? TURNS : 10))
      times.push(...(await playScript(botBench, phones, enter, customer, SCRIPT.slice(0, 2))))
  } while (!until())
  return times
}

/** Adds the time of each call of the provider, with its library, to `waits`. */
function timed(ai: Ai, waits: number[]): Ai {
  return {
    ...ai,
    answer: async (...asked) => {
      const start = performance.now()
      const answer = await ai.answer(...asked)
      waits.push(performance.now() - start)
      return answer
    },
  }
}

interface QuestionBench {
  readonly botBench: BotBench
  readonly phones: CustomerPhones
  readonly waits: number[]
}

interface AskedQuestions {
  readonly whole: readonly number[]
  /** Without the call of the provider. */
  readonly own: readonly number[]
}

async function measureQuestions({ botBench, phones, waits }: QuestionBench, contaId: string): Promise<AskedQuestions> {
  const enter = handInToRuntime(botBench)
  const whole: number[] = []
  waits.length = 0
  for (const customer of createBenchCustomers(contaId, QUESTIONS)) {
    await playScript(botBench, phones, enter, customer, SCRIPT.slice(0, 1))
    whole.push(...(await playScript(botBench, phones, enter, customer, IA_SCRIPT)))
  }
  const own = whole.map((time, index) => time - (waits[index] ?? 0))
  // The first questions load the library.
  return { whole: whole.slice(20), own: own.slice(20) }
}

async function measureWhileReading(botBench: BotBench, phones: CustomerPhones, contaId: string): Promise<number[]> {
  const word = createWords()
  const pages = Array.from({ length: PDF_PAGES }, () =>
    Array.from({ length: LINES_PER_PAGE }, () => sentence(word, 70)),
  )
  const other = await botBench.createConta({ bot: false })
  const id = await insertFile(botBench, other, 'regras.pdf', madePdf(pages))
  const reader = startFonteReader(botBench)
  let done = false
  const reading = untilRead(botBench, other, id).then(() => void (done = true))
  const times = await measureTurns(botBench, phones, contaId, () => done)
  await reading
  await reader.stop()
  return times
}

export async function measureKnowledge(): Promise<Section> {
  const gemini = await createFakeGemini()
  const waits: number[] = []
  const ai = timed(createIa({ urls: { gemini: gemini.url }, log: { warn: () => {} } }), waits)
  const botBench = await openBotBench({ ai, config: benchConfig() })
  const phones = createCustomerPhones()
  botBench.onPhoneMessage(phones.receive)
  try {
    const contaId = await botBench.createConta({ config: configWithIa() })
    const pieces = await giveKnowledge(botBench, contaId)
    await measureTurns(botBench, phones, contaId)
    // Plans for a table without customers read all of them for each one.
    await botBench.analyze()
    let searching = true
    const searches = measureSearches(botBench, contaId).finally(() => (searching = false))
    await measureTurns(botBench, phones, contaId, () => !searching)
    const found = await searches
    const questions = await measureQuestions({ botBench, phones, waits }, contaId)
    const quiet: number[] = []
    const reading: number[] = []
    for (let round = 0; round < READINGS; round += 1) {
      quiet.push(...(await measureTurns(botBench, phones, contaId)))
      reading.push(...(await measureWhileReading(botBench, phones, contaId)))
    }
    if (phones.errors().length > 0) throw new Error(phones.errors().slice(0, 5).join('\n'))
    return {
      title: 'Knowledge',
      lines: [
        shown('pieces of the account', figure(pieces)),
        shown('search beside running turns, p50', figure(percentile(found, 50), 'ms')),
        atMost('search beside running turns, p95', percentile(found, 95), 30, 'ms'),
        shown(
          'question with a search, provider that answers at once, p50',
          figure(percentile(questions.whole, 50), 'ms'),
        ),
        atMost('its own time, without the call of the provider, p50', percentile(questions.own, 50), 15, 'ms'),
        shown('menu reply, p95', figure(percentile(quiet, 95), 'ms')),
        shown(`menu reply while a PDF of ${PDF_PAGES} pages is read, p95`, figure(percentile(reading, 95), 'ms')),
        atMost(
          'menu reply with the reading over without, p95',
          percentile(reading, 95) / percentile(quiet, 95),
          1.3,
          '×',
        ),
      ],
    }
  } finally {
    await botBench.close()
    await gemini.close()
  }
}
