import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import { type SilenceFacts, type SilenceStep, stepSilence } from '@balcao/engine/atendimento/silence'
import { lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps, DialogueRef } from '#deps.ts'
import { type ActDeps, endConversa } from '#modules/atendimento/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { lockContatosOf } from '#modules/conversas/index.ts'
import { SERVER_READER } from '#modules/leitores/index.ts'
import {
  deleteTimers,
  type DueTimer,
  listDueTimers,
  lockDueTimers,
  moveSilenceTimer,
  postponeTimer,
  runEach,
} from '#modules/prazos/index.ts'

type SilenceDeps = ActDeps & Pick<Deps, 'vault' | 'applyEventIn' | 'crashPoint' | 'log' | 'lookForDueIn'>

/** Runs the due silence timers of a conta, together or, after an error, each alone. A timer that fails is tried again later. */
export async function runSilenceTimers(deps: SilenceDeps, contaId: string): Promise<void> {
  const now = deps.clock.now()
  const due = await deps.db.read(contaId, (tx) => listDueTimers(tx, { contaId, tipo: 'silencio', now }))
  const ids = due.map(({ conversaId }) => conversaId)
  try {
    await runTimers(deps, contaId, { now, ids })
  } catch {
    await runEach(ids, (id) => runOrPostpone(deps, contaId, { now, id }))
  }
}

async function runOrPostpone(
  deps: SilenceDeps,
  contaId: string,
  { now, id }: { readonly now: Date; readonly id: string },
): Promise<void> {
  try {
    await runTimers(deps, contaId, { now, ids: [id] })
  } catch (error) {
    deps.log.error({ err: error, contaId, conversa: id }, 'silence timer failed, retrying')
    await deps.db.transaction(contaId, (tx) => postponeTimer(tx, { contaId, conversaId: id, tipo: 'silencio', now }))
  }
}

async function runTimers(
  deps: SilenceDeps,
  contaId: string,
  { now, ids }: { readonly now: Date; readonly ids: readonly string[] },
): Promise<void> {
  const { db, crashPoint } = deps
  await db.transaction(contaId, async (tx) => {
    await lockContatosOf(tx, { contaId, ids })
    const timers = await lockDueTimers(tx, { contaId, tipo: 'silencio', now, conversaIds: ids })
    // First, so that a crash comes before the other callbacks send and publish.
    tx.afterCommit(() => crashPoint('prazo.apos-commit'))
    const { config } = await loadConfig(tx, deps, contaId)
    const rows = await listSilences(tx, { contaId, ids: timers.map(({ conversaId }) => conversaId) })
    for (const timer of timers) {
      const row = rows.find(({ id }) => id === timer.conversaId)
      const { inatividade } = config.atendimento
      const step = row === undefined ? DROP : stepSilence(inatividade, factsOf(row, timer), now.getTime())
      const { contatoId = '', linhaId = '' } = row ?? {}
      await apply(tx, deps, { contaId, linhaId, contatoId, timer, step, config })
    }
    crashPoint('prazo.antes-commit')
  })
}

const DROP: SilenceStep = { tipo: 'drop' }

const silenceSchema = z.object({
  id: z.string(),
  contatoId: z.string(),
  linhaId: z.string(),
  atendida: z.boolean(),
  pessoaId: z.nullable(z.string()),
  pessoaEm: z.nullable(z.date()),
  clienteId: z.nullable(z.string()),
  clienteEm: z.nullable(z.date()),
  aCaminho: z.boolean(),
})
type SilenceRow = z.output<typeof silenceSchema>

/** The order of a conversa is that of its ids. A message that failed did not reach the customer. */
const listSilences = manyRows(
  'inatividade: list silences',
  silenceSchema,
  sql`
select v.id, v.contato_id, ${lineOf('v')} as linha_id, v.status in ('aguardando', 'em_atendimento') and not v.agente_meta as atendida,
  p.id as pessoa_id, p.criada_em as pessoa_em, c.id as cliente_id, c.criada_em as cliente_em,
  not v.teste and (
    exists (select 1 from saida s where s.conta_id = v.conta_id and s.contato_id = v.contato_id
      and s.linha_id is not distinct from v.linha_id)
    or not exists (select 1 from linhas_bots b where b.linha_id = ${lineOf('v')} and b.status = 'CONECTADO')
    or exists (select 1 from contas k where k.id = v.conta_id and k.manutencao)) as a_caminho
from conversas v
left join lateral (
  select m.id, m.criada_em from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id and m.estado not in ('falhou', 'limite')
    and (m.origem = 'operador' or (m.origem = 'telefone' and m.extras ->> 'agenteMeta' is null))
  order by m.id desc limit 1
) p on true
left join lateral (
  select m.id, m.criada_em from mensagens m
  where m.conta_id = v.conta_id and m.conversa_id = v.id and m.origem = 'cliente' order by m.id desc limit 1
) c on true
where v.conta_id = ${contaId} and v.id = any (${value('ids', 'uuid[]')})`,
)

function factsOf(row: SilenceRow, { avisadoEm: warnedAt }: DueTimer): SilenceFacts {
  return {
    served: row.atendida,
    personAt: row.pessoaEm?.getTime() ?? null,
    customerAt: row.clienteEm?.getTime() ?? null,
    customerWaits: (row.clienteId ?? '') > (row.pessoaId ?? ''),
    warnedAt: warnedAt?.getTime() ?? null,
    unreachable: row.aCaminho,
  }
}

interface Applied extends DialogueRef {
  readonly timer: DueTimer
  readonly step: SilenceStep
  readonly config: Config
}

async function apply(tx: Tx, deps: SilenceDeps, { timer, step, config, ...dialogue }: Applied): Promise<void> {
  const { contaId } = dialogue
  const { conversaId } = timer
  const silence = { contaId, tipo: 'silencio', conversaIds: [conversaId] } as const
  switch (step.tipo) {
    case 'drop':
      await deleteTimers(tx, silence)
      return
    case 'wait': {
      const warnedAt = step.warnedAt === null ? null : new Date(step.warnedAt)
      await moveSilenceTimer(tx, { contaId, conversaId, until: new Date(step.until), warnedAt })
      return
    }
    case 'warn': {
      const { aviso: texto } = config.atendimento.inatividade
      const warnedAt = deps.clock.now()
      await deps.applyEventIn(tx, dialogue, (base) => ({ tipo: 'avisoAutomatico', texto, ...base }))
      await moveSilenceTimer(tx, { contaId, conversaId, until: new Date(step.until), warnedAt })
      return
    }
    case 'finish': {
      await deleteTimers(tx, silence)
      await endConversa(tx, deps, { contaId, id: conversaId, reader: SERVER_READER }, { tipo: 'silencio' })
      return
    }
    default:
      step satisfies never
  }
}
