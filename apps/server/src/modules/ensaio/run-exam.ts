import { setTimeout as wait } from 'node:timers/promises'
import type { ResultadoProva } from '@balcao/contract/entities/prova'
import { checkExamAnswer } from '@balcao/engine/ia/exam'
import type { LoginSession } from '#http/authentication.ts'
import { askDraftIa, type DraftIa, type IaTest, loadDraftIa, type TestIaDeps } from '#modules/ia/index.ts'
import {
  type AskedProva,
  claimProva,
  countUnsettled,
  draftHash,
  listResults,
  readFacts,
  releaseProva,
  type StoredResult,
  storeResult,
} from '#modules/provas/index.ts'

/** The slots of an account at the provider. */
const AT_ONCE = 4
/** Longer than a question and its correction may take. A claim that is older belongs to an exam whose node died. */
const CLAIM_MS = 90_000
const POLL_MS = 250
/** A provider that does not answer ends the exam. The next one goes on. */
const FAILURES_MAX = 8
const NOT_ASKED = 'A IA não respondeu, e esta pergunta ficou para a próxima vez.'

interface Exam {
  readonly session: LoginSession
  readonly draft: DraftIa
  readonly rascunho: string
  readonly exame: string
  /** By the id of the question. An exam of another draft may replace the stored result meanwhile. */
  readonly settled: Map<string, ResultadoProva>
  unanswered: number
  tokens: number
}

export interface ExamReport {
  readonly resultados: ResultadoProva[]
  readonly passaram: number
  readonly falharam: number
  readonly tokens: number
}

/**
 * Asks the questions that have no result of this draft. Each result is stored when it arrives, so a later exam of the
 * same draft asks only the rest. Exams of one draft at the same time share the questions, on any node.
 */
export async function runExam(deps: TestIaDeps, session: LoginSession, sent: IaTest['ia']): Promise<ExamReport> {
  const { contaId } = session
  // The facts first: a change between the two reads leaves old ones, and a later exam asks again.
  const facts = await deps.db.read(contaId, (tx) => readFacts(tx, { contaId, now: deps.clock.now() }))
  const draft = await loadDraftIa(deps, contaId, sent)
  const rascunho = draftHash(facts, draft.ia)
  const exam: Exam = { session, draft, rascunho, exame: deps.ids.uuid(), settled: new Map(), unanswered: 0, tokens: 0 }
  await Promise.all(Array.from({ length: AT_ONCE }, () => askNext(deps, exam)))
  const rows = await deps.db.read(contaId, (tx) => listResults(tx, { contaId, rascunho }))
  const resultados = rows.map(({ id, resultado }) => resultOf(id, resultado, exam))
  const passaram = resultados.filter(({ passou }) => passou).length
  return { resultados, passaram, falharam: resultados.length - passaram, tokens: exam.tokens }
}

/** Claims and asks one question after the other, until all have a result of this draft. */
async function askNext(deps: TestIaDeps, exam: Exam): Promise<void> {
  const { rascunho, exame, settled } = exam
  const { contaId } = exam.session
  while (exam.unanswered < FAILURES_MAX) {
    const open = { contaId, rascunho, settled: [...settled.keys()] }
    const now = deps.clock.now()
    const expired = new Date(now.getTime() - CLAIM_MS)
    const prova = await deps.db.transaction(contaId, (tx) => claimProva(tx, { ...open, exame, now, expired }))
    if (prova !== null) await askOne(deps, exam, prova)
    // The others are being asked, here or by another exam.
    else if ((await deps.db.read(contaId, (tx) => countUnsettled(tx, open))) === 0) return
    else await wait(POLL_MS)
  }
}

async function askOne(deps: TestIaDeps, exam: Exam, prova: AskedProva): Promise<void> {
  const { rascunho, exame } = exam
  const { contaId, nome } = exam.session
  const {
    reply,
    texto,
    transfere: calls,
    tokens,
    record,
  } = await askDraftIa(deps, exam.draft, { nome, pergunta: prova.pergunta })
  exam.tokens += tokens
  const theOne = { contaId, id: prova.id, exame }
  await deps.db.transaction(contaId, async (tx) => {
    await record(tx)
    if (reply.tipo === 'falha' || texto === null) {
      const motivo = reply.tipo === 'falha' ? reply.motivo : 'a resposta veio vazia'
      exam.unanswered += 1
      exam.settled.set(prova.id, { ...NO_ANSWER, provaId: prova.id, motivo: `A IA não respondeu: ${motivo}.` })
      await releaseProva(tx, theOne)
      return
    }
    const { transfere, contem, naoContem } = prova
    const expected = { contem, naoContem, ...(transfere === null ? {} : { transfere }) }
    const resultado = { ...checkExamAnswer(expected, { tipo: calls ? 'transferir' : 'texto', texto }), resposta: texto }
    const stored = await storeResult(tx, { ...theOne, rascunho, resultado, now: deps.clock.now() })
    // Otherwise the question was changed meanwhile, and it is asked again.
    if (stored === 1) exam.settled.set(prova.id, { provaId: prova.id, ...resultado })
  })
}

const NO_ANSWER = { passou: false, resposta: '' } as const

function resultOf(provaId: string, stored: StoredResult | null, { settled }: Exam): ResultadoProva {
  const own = settled.get(provaId)
  if (own !== undefined) return own
  return stored === null ? { ...NO_ANSWER, provaId, motivo: NOT_ASKED } : { provaId, ...stored }
}
