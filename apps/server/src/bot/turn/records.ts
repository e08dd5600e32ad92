import type { BotEffect } from '@balcao/engine/effect'
import { parseState } from '@balcao/engine/stored-state/parse'
import { inOrder } from '#db/statement/statement.ts'
import { storedLine } from '#db/statement/line.ts'
import type { Tx } from '#db/transaction.ts'
import { insertAvaliacoes, type NewAvaliacao } from '#modules/avaliacoes/index.ts'
import { storeUserNames, type UserNameChange } from '#modules/enderecos/index.ts'
import { deleteQuestions, insertQuestions, type NewQuestion } from '#modules/ia/index.ts'
import { recordLimitReached } from '#modules/limites/index.ts'
import { storeMarks } from '#modules/mensagens/index.ts'
import { recordRespostasIa, type RecordRespostaInput } from '#modules/ia/index.ts'
import { insertConsentimentos, type NewConsentimento } from '#modules/lgpd/index.ts'
import { insertLogs, type NewLogOfConta } from '#modules/logs/index.ts'
import { type CartReminder, scheduleReminders } from '#modules/pedidos/index.ts'
import { type PersonWrote, startSilences } from '#modules/prazos/index.ts'
import { queueTranscripts } from '#modules/transcricoes/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { Decision } from './types.ts'

const NOT_ANSWERED_LOG = {
  tipo: 'error',
  mensagem:
    'O bot guardou uma mensagem, mas não conseguiu responder. Responda ao cliente pelo celular; se acontecer de novo, avise o administrador.',
} as const

const WAITING_FOR_PERSON_TEXT = 'Um cliente espera para falar com uma pessoa. Assuma a conversa na aba Atendimento.'

/** Rows that only some turns have: one statement per kind and batch, none for a kind without rows. */

type RecordDeps = Pick<BotDeps, 'db' | 'ids' | 'clock' | 'vault' | 'mailQueued' | 'realtime' | 'log'>

interface Records {
  readonly avaliacoes: NewAvaliacao[]
  readonly questions: NewQuestion[]
  readonly consentimentos: NewConsentimento[]
  readonly logs: NewLogOfConta[]
}

export function collectRecords(deps: Pick<RecordDeps, 'ids'>, decisions: readonly Decision[]): Records {
  const records: Records = { avaliacoes: [], questions: [], consentimentos: [], logs: [] }
  for (const decision of decisions) {
    for (const effect of decision.effects) addRecord(records, deps, decision, effect)
  }
  return records
}

/**
 * Writes quotes, voice notes to transcribe, user names, ratings, questions to the AI, consents and what the AI answered. All statements are sent
 * before the first result arrives, behind the one of the messages, which also writes the log lines.
 */
export async function insertRecords(
  tx: Tx,
  deps: RecordDeps,
  decisions: readonly Decision[],
  records: Records,
): Promise<void> {
  await inOrder([
    writeMarks(tx, decisions),
    queueTranscripts(tx, decisions),
    storeUserNames(tx, decisions.flatMap(newUserName)),
    insertAvaliacoes(tx, records.avaliacoes),
    insertQuestions(tx, records.questions),
    insertConsentimentos(tx, records.consentimentos),
    startSilences(tx, decisions.flatMap(ownerWroteIn)),
    scheduleReminders(tx, decisions.flatMap(newReminder)),
    recordAnswers(tx, deps, decisions),
  ])
}

async function writeMarks(tx: Tx, decisions: readonly Decision[]): Promise<void> {
  const marked = decisions.flatMap(({ contaId, mensagens }) =>
    mensagens.flatMap(({ id, extras }) => (extras === undefined ? [] : [{ contaId, id, extras }])),
  )
  if (marked.length > 0) await storeMarks(tx, { i: marked })
}

export function newUserName({ contaId, contato, turn }: Decision): UserNameChange[] {
  const userName = turn.tipo === 'mensagem' ? (turn.message.nomeUsuario ?? '') : ''
  return userName === '' || userName === contato.nomeUsuario ? [] : [{ contaId, contatoId: contato.id, userName }]
}

/** The owner wrote on the phone in a conversa with people: the customer may be silent from now on. */
function ownerWroteIn({ contaId, conversaId, contato, turn, endsBySilence, now }: Decision): PersonWrote[] {
  if (turn.tipo === 'evento' || turn.message.deMim !== true || turn.message.agente === true) return []
  const served = contato.conversa?.id === conversaId && contato.conversa?.status !== 'bot'
  if (!served || conversaId === null || !endsBySilence) return []
  return [{ contaId, conversaId, em: now }]
}

function addRecord(records: Records, { ids }: Pick<RecordDeps, 'ids'>, decision: Decision, effect: BotEffect): void {
  const { contaId, linhaId, contato, now, conversaId } = decision
  switch (effect.tipo) {
    case 'registrarAvaliacao': {
      const { nota } = effect
      records.avaliacoes.push({ contaId, id: ids.uuid(), conversaId, contatoId: contato.id, nota, em: now })
      records.logs.push({
        contaId,
        linhaId,
        tipo: 'bot',
        mensagem: `Um cliente avaliou o atendimento com nota ${nota}.`,
      })
      return
    }
    case 'perguntarIa': {
      const askAt = new Date(now.getTime() + effect.esperaMs)
      const { pergunta: previous } = parseState(contato.estado)
      const of = { contaId, linhaId: storedLine(decision), contatoId: contato.id }
      records.questions.push({ ...of, id: effect.perguntaId, askAt, previous })
      return
    }
    case 'registrarConsentimento': {
      const { channel, avisoVersao } = decision
      const who = { contaId, id: ids.uuid(), contatoId: contato.id }
      records.consentimentos.push({ ...who, act: effect.ato, avisoVersao, channel, em: now })
      return
    }
    case 'registrarLog':
      records.logs.push({ contaId, linhaId, tipo: effect.nivel, mensagem: effect.mensagem })
      return
    case 'abrirConversaHumana': {
      const detalhes = { setor: effect.setor, ...protocoloOf(decision) }
      records.logs.push({ contaId, linhaId, tipo: 'bot', mensagem: WAITING_FOR_PERSON_TEXT, detalhes })
      return
    }
    case 'enviarTexto':
    case 'enviarImagem':
    case 'finalizarConversa':
    // The order was made before the texts about it were decided.
    case 'criarPedido':
    case 'buscarCarrinho':
      return
    default:
      effect satisfies never
  }
}

function protocoloOf({ changes, conversaId }: Decision): { readonly protocolo?: string } {
  const protocolo = changes.find(({ id }) => id === conversaId)?.protocolo ?? null
  return protocolo === null ? {} : { protocolo }
}

function newReminder({ contaId, conversaId, remindAt }: Decision): CartReminder[] {
  return conversaId === null || remindAt === null ? [] : [{ contaId, conversaId, venceEm: remindAt }]
}

async function recordAnswers(tx: Tx, deps: RecordDeps, decisions: readonly Decision[]): Promise<void> {
  const answered: (RecordRespostaInput & { readonly id: string })[] = []
  for (const { contaId, turn, mensagens, now, day } of decisions) {
    if (turn.tipo !== 'evento' || turn.answered === undefined) continue
    const { perguntaId: id, request, answer, orcamento } = turn.answered
    const reply = answer.tipo === 'falha' ? undefined : answerOf(mensagens)
    const mensagem = reply === undefined ? null : { id: reply.id, texto: reply.texto }
    answered.push({ contaId, id, request, answer, mensagem, now, day, orcamento })
  }
  if (answered.length === 0) return
  await inOrder([deleteQuestions(tx, { i: answered }), recordRespostasIa(tx, deps, answered)])
}

/** The text of the AI, which may follow its presentation, else the first one of the bot. */
function answerOf(mensagens: Decision['mensagens']): Decision['mensagens'][number] | undefined {
  const sent = mensagens.filter(({ direcao }) => direcao === 'saida')
  return sent.find(({ origem }) => origem === 'ia') ?? sent[0]
}

export async function recordFullContas(
  tx: Tx,
  deps: RecordDeps,
  decisions: readonly Decision[],
): Promise<readonly string[]> {
  const full = decisions.filter(({ mensagens }) => mensagens.some(({ estado }) => estado === 'limite'))
  for (const { contaId, day } of full) await recordLimitReached(tx, deps, contaId, day)
  return full.map(({ contaId }) => contaId)
}

export function logNotAnswered(tx: Tx, deps: RecordDeps, decisions: readonly Decision[]): Promise<void> {
  return insertLogs(
    tx,
    deps,
    decisions.map(({ contaId, linhaId }) => ({ ...NOT_ANSWERED_LOG, contaId, linhaId })),
  )
}
