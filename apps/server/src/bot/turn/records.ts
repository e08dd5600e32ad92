import type { ConsentimentoAct, BotEffect } from '@balcao/engine/effect'
import { parseState } from '@balcao/engine/state'
import type { Tx } from '#db/transaction.ts'
import { recordRespostaIa } from '#modules/ia/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Decision } from './decision.ts'
import type { BotDeps } from '#bot/deps.ts'
import { WAITING_FOR_PERSON_TEXT, ratedText } from '#bot/texts.ts'
import type { AnsweredQuestion } from './types.ts'

/** Rare writes of a batch. Each kind is a separate statement, because most batches have none. */

const UPDATE_CONVERSAS_SQL = `
update conversas v set
  status = coalesce(i.status, v.status), setor = coalesce(i.setor, v.setor), protocolo = coalesce(i.protocolo, v.protocolo),
  aguardando_desde = case when i.status = 'aguardando' then i.em else v.aguardando_desde end,
  finalizada_em = case when i.status = 'finalizada' then i.em else v.finalizada_em end,
  motivo_fim = coalesce(i.motivo_fim, v.motivo_fim),
  nao_lidas = case when i.lidas then 0 else v.nao_lidas + i.nao_lidas end, ultima_atividade = i.em
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[], $9::bool[])
  as i (conta_id, id, status, setor, protocolo, motivo_fim, nao_lidas, em, lidas)
where v.conta_id = i.conta_id and v.id = i.id`

const INSERT_AVALIACAO_SQL = `
insert into avaliacoes (conta_id, id, conversa_id, contato_id, nota, setor, operador_id, teste, criada_em)
select $1, $2, $3, $4, $5, v.setor, v.operador_id, v.teste, $6 from conversas v where v.conta_id = $1 and v.id = $3`

/**
 * A newer question replaces the older one of the contato. If the older one ($5) is still unanswered, it belongs to
 * the same question, so its start is kept.
 */
const INSERT_QUESTION_SQL = `
with antigas as (
  delete from perguntas_ia where conta_id = $1 and contato_id = $3 returning id, coalesce(desde_id, id) as desde
)
insert into perguntas_ia (conta_id, id, contato_id, perguntar_em, desde_id)
values ($1, $2, $3, $4, coalesce((select desde from antigas where id = $5), $2))
on conflict (conta_id, id) do nothing`

/**
 * Runs before the messages: a contato has one open conversa, so the expired one ends before the new one is
 * inserted.
 */
export function finishExpired(tx: Tx, decisions: readonly Decision[]): Promise<void> {
  const fresh = decisions.filter(({ newConversa }) => newConversa !== null)
  return updateChosen(tx, fresh, (decision) => decision.changes.filter(({ id }) => id !== decision.conversaId))
}

/** Runs after the messages, whose statement inserts the new conversas. */
export function updateConversas(tx: Tx, decisions: readonly Decision[]): Promise<void> {
  return updateChosen(tx, decisions, (decision) => decision.changes.filter(({ id }) => id === decision.conversaId))
}

async function updateChosen(
  tx: Tx,
  decisoes: readonly Decision[],
  quais: (decision: Decision) => Decision['changes'],
): Promise<void> {
  const lines = decisoes.flatMap((de) => quais(de).map((mudanca) => ({ de, mudanca })))
  if (lines.length === 0) return
  await tx.queryNamed('conversas-mudar', UPDATE_CONVERSAS_SQL, [
    plainArray(lines.map(({ de }) => de.contaId)),
    plainArray(lines.map(({ mudanca }) => mudanca.id)),
    plainArray(lines.map(({ mudanca }) => mudanca.status)),
    textArray(lines.map(({ mudanca }) => mudanca.setor)),
    textArray(lines.map(({ mudanca }) => mudanca.protocolo)),
    plainArray(lines.map(({ mudanca }) => mudanca.motivoFim)),
    plainArray(lines.map(({ mudanca }) => mudanca.naoLidas)),
    plainArray(lines.map(({ de }) => de.now.toISOString())),
    plainArray(lines.map(({ mudanca }) => mudanca.lidas)),
  ])
}

export async function updateQuotes(tx: Tx, decisions: readonly Decision[]): Promise<void> {
  for (const { contaId, mensagens } of decisions) {
    for (const { id, extras } of mensagens) {
      if (extras === undefined) continue
      await tx.query('update mensagens set extras = $3 where conta_id = $1 and id = $2', [
        contaId,
        id,
        JSON.stringify(extras),
      ])
    }
  }
}

type Deps = Pick<BotDeps, 'ids' | 'clock' | 'realtime'>

/** Ratings, questions to the AI, consents and log lines: after the messages and one by one, because they are rare. */
export async function insertRecords(tx: Tx, deps: Deps, decisions: readonly Decision[]): Promise<void> {
  for (const decision of decisions) {
    for (const effect of decision.effects) await insertRecord(tx, deps, decision, effect)
    const { turn } = decision
    if (turn.tipo === 'evento' && turn.answered !== undefined) {
      await recordAnswer(tx, deps, decision, turn.answered)
    }
  }
}

/** Deletes the question, counts its cost and stores what led to the answer. */
async function recordAnswer(
  tx: Tx,
  deps: Deps,
  { contaId, mensagens, now, day }: Decision,
  { perguntaId, request, answer }: AnsweredQuestion,
): Promise<void> {
  await tx.query('delete from perguntas_ia where conta_id = $1 and id = $2', [contaId, perguntaId])
  const said = answer.tipo === 'falha' ? undefined : mensagens.find(({ direcao }) => direcao === 'saida')
  const mensagem = said === undefined ? null : { id: said.id, texto: said.texto }
  await recordRespostaIa(tx, deps, contaId, { request, answer, mensagem, now, day })
}

async function insertRecord(tx: Tx, deps: Deps, decision: Decision, effect: BotEffect): Promise<void> {
  const { contaId, contato, now, conversaId } = decision
  switch (effect.tipo) {
    case 'registrarAvaliacao':
      await tx.query(INSERT_AVALIACAO_SQL, [contaId, deps.ids.uuid(), conversaId, contato.id, effect.nota, now])
      await insertLog(tx, deps, contaId, { tipo: 'bot', mensagem: ratedText(effect.nota) })
      return
    case 'perguntarIa': {
      const perguntarEm = new Date(now.getTime() + effect.esperaMs)
      const { pergunta } = parseState(contato.estado)
      await tx.query(INSERT_QUESTION_SQL, [contaId, effect.perguntaId, contato.id, perguntarEm, pergunta])
      return
    }
    case 'registrarConsentimento':
      await insertConsentimento(tx, deps, decision, effect.ato)
      return
    case 'registrarLog':
      await insertLog(tx, deps, contaId, { tipo: effect.nivel, mensagem: effect.mensagem })
      return
    case 'abrirConversaHumana': {
      const protocolo = decision.changes.find(({ id }) => id === conversaId)?.protocolo ?? null
      const detalhes = { setor: effect.setor, ...(protocolo === null ? {} : { protocolo }) }
      await insertLog(tx, deps, contaId, { tipo: 'bot', mensagem: WAITING_FOR_PERSON_TEXT, detalhes })
      return
    }
    case 'enviarTexto':
    case 'enviarImagem':
    case 'finalizarConversa':
      return
    default:
      effect satisfies never
  }
}

/**
 * Proof for LGPD: when the notice was given or the request made, over which service, and which version of the
 * notice.
 */
async function insertConsentimento(tx: Tx, { ids }: Deps, decision: Decision, act: ConsentimentoAct): Promise<void> {
  const { contaId, contato, channel, now, avisoVersao } = decision
  await tx.query(
    `insert into consentimentos (conta_id, id, contato_id, ato, aviso_versao, canal, criado_em)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [contaId, ids.uuid(), contato.id, act, act === 'aviso' ? avisoVersao : null, channel, now],
  )
}
