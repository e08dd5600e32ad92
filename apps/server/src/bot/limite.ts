import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { avisarLimiteDiario } from '#modules/emails/index.ts'
import { inicioDoDia, insertLog } from '#modules/logs/index.ts'
import type { Uso } from './hot-write.ts'
import { LIMITE_ATINGIDO } from './textos.ts'

export type LimiteDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'realtime' | 'log'>

/** Returns how many messages the conta may still send this day. Keeps the counter locked until the transaction ends. */
export async function vagaNoDia(tx: Tx, contaId: string, dia: string): Promise<number> {
  await tx.query('insert into uso_diario (conta_id, dia) values ($1, $2) on conflict do nothing', [contaId, dia])
  const { rows } = await tx.query<{ usadas: number; limite: number; sem_limite: boolean }>(
    `select u.usadas, k.limite_mensagens_dia as limite, k.sem_limite from uso_diario u join contas k on k.id = u.conta_id
     where u.conta_id = $1 and u.dia = $2 for update of u`,
    [contaId, dia],
  )
  const [uso] = rows
  if (uso === undefined) return 0
  return uso.sem_limite ? Infinity : Math.max(0, uso.limite - uso.usadas)
}

/**
 * Writes at most one warning per day into the log of the conta. The counter's lock prevents two transactions from
 * both writing it.
 */
export async function registrarLimite(tx: Tx, deps: LimiteDeps, contaId: string, dia: string): Promise<void> {
  const { rows } = await tx.query(
    `select 1 from logs l join contas k on k.id = l.conta_id
     where l.conta_id = $1 and l.tipo = 'warning' and l.mensagem = $2
       and l.timestamp >= $3::date::timestamp at time zone k.fuso limit 1`,
    [contaId, LIMITE_ATINGIDO, dia],
  )
  if (rows.length === 0) await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: LIMITE_ATINGIDO })
}

/**
 * CTE `u`: adds $3 messages at $2 to the counter of conta $1 under its lock. Returns no row when not all of them
 * fit or $3 is 0.
 */
export const CONTADOR = `u as (
  insert into uso_diario as u (conta_id, dia, usadas, total)
  select id, ($2::timestamptz at time zone fuso)::date, $3::int, $3::int from contas
  where id = $1 and $3::int > 0 and (sem_limite or $3::int <= limite_mensagens_dia)
  on conflict (conta_id, dia) do update set usadas = u.usadas + $3::int, total = u.total + $3::int
  where exists (
    select 1 from contas k where k.id = u.conta_id and (k.sem_limite or u.usadas + $3::int <= k.limite_mensagens_dia))
  returning usadas
)`

export const CONTAGEM = `
select k.fuso, ($2::timestamptz at time zone k.fuso)::date::text as dia, k.limite_mensagens_dia as limite, k.sem_limite,
  (select usadas from u) as usadas
from contas k where k.id = $1`

const CONTAR = `with ${CONTADOR} ${CONTAGEM}`

export interface Contagem {
  readonly fuso: string
  readonly dia: string
  readonly limite: number
  readonly sem_limite: boolean
  /** Including these messages; null when they were not counted. */
  readonly usadas: number | null
}

export interface Vaga {
  readonly cabem: number
  readonly recusa: AppError | null
}

/**
 * Counts messages of operadores, as many as still fit into the day. Keeps the counter locked until the transaction
 * ends. `recusa` is `limiteDiario` with `usado`, `limite` and `resetEm`, or null when all fit.
 */
export async function contarMensagens(tx: Tx, deps: LimiteDeps, contaId: string, quantas: number): Promise<Vaga> {
  if (quantas === 0) return { cabem: 0, recusa: null }
  const agora = deps.clock.now()
  const valores = [contaId, agora.toISOString(), quantas]
  const { rows } = await tx.queryNamed<Contagem & Record<string, unknown>>('limite-contar', CONTAR, valores)
  const [conta] = rows
  if (conta === undefined) throw new Error('conta not found')
  if (!(await registrarContagem(tx, deps, { contaId, quantas, contagem: conta }))) {
    const { dia, limite, fuso } = conta
    const vagas = quantas === 1 ? 0 : await vagaNoDia(tx, contaId, dia)
    const { cabem } = await contarMensagens(tx, deps, contaId, Math.min(vagas, quantas))
    return { cabem, recusa: await recusa(tx, { contaId, dia, limite, agora, fuso }) }
  }
  return { cabem: quantas, recusa: null }
}

interface Contadas {
  readonly contaId: string
  readonly quantas: number
  readonly contagem: Contagem
}

/**
 * Writes the log line and queues the e-mails of the daily limit. Returns false and does nothing when the messages
 * were not counted.
 */
export async function registrarContagem(
  tx: Tx,
  deps: LimiteDeps,
  { contaId, quantas, contagem: { dia, limite, usadas, sem_limite: semLimite } }: Contadas,
): Promise<boolean> {
  if (usadas === null) return false
  if (!semLimite && usadas === limite) await registrarLimite(tx, deps, contaId, dia)
  const uso = { contaId, dia, enviadas: quantas, usadas, limite: semLimite ? null : limite }
  tx.afterCommit(() => {
    avisarMarcas(deps, [uso]).catch((error: unknown) => deps.log.warn({ err: error }, 'daily-limit e-mail not queued'))
  })
  return true
}

/** Counts one message. Throws `limiteDiario`. */
export async function contarMensagem(tx: Tx, deps: LimiteDeps, contaId: string): Promise<void> {
  const { recusa: erro } = await contarMensagens(tx, deps, contaId, 1)
  if (erro !== null) throw erro
}

interface Esgotada {
  readonly contaId: string
  readonly dia: string
  readonly limite: number
  readonly agora: Date
  readonly fuso: string
}

async function recusa(tx: Tx, { contaId, dia, limite, agora, fuso }: Esgotada): Promise<AppError> {
  const { rows } = await tx.query<{ usadas: number }>(
    'select usadas from uso_diario where conta_id = $1 and dia = $2',
    [contaId, dia],
  )
  const hoje = inicioDoDia(agora, fuso)
  // 36 hours after midnight falls into tomorrow even when the clocks change.
  const resetEm = inicioDoDia(new Date(hoje.getTime() + 36 * 3_600_000), fuso)
  const tentarEmS = Math.ceil((resetEm.getTime() - agora.getTime()) / 1_000)
  return new AppError('limiteDiario', {
    usado: rows[0]?.usadas ?? limite,
    limite,
    resetEm: resetEm.toISOString(),
    tentarEmS,
  })
}

const AVISOS = [80, 100] as const

export function marcasCruzadas({ limite, usadas, enviadas }: Uso): (80 | 100)[] {
  if (limite === null || enviadas === 0) return []
  return AVISOS.filter((percentual) => {
    const marca = Math.ceil((limite * percentual) / 100)
    return usadas >= marca && usadas - enviadas < marca
  })
}

/** Queues the e-mail to the owner after the commit that crossed a threshold. */
export async function avisarMarcas(deps: LimiteDeps, usos: readonly Uso[]): Promise<void> {
  for (const uso of usos) {
    const { contaId, dia, limite } = uso
    for (const percentual of marcasCruzadas(uso)) {
      await deps.db.transaction(contaId, (tx) =>
        avisarLimiteDiario(tx, deps, contaId, { percentual, limite: limite ?? 0, dia }),
      )
    }
  }
}

const marcaSchema = z.object({
  conta_id: z.string(),
  dia: z.string(),
  limite: z.number(),
  percentual: z.union([z.literal(80), z.literal(100)]),
})

/** Queues missing e-mails of today: a process may end between the commit and its e-mail. */
export async function avisarMarcasPerdidas(deps: LimiteDeps): Promise<void> {
  const marcas = await deps.db.transaction('*', (tx) =>
    tx.rows(
      marcaSchema,
      `select u.conta_id, u.dia::text as dia, k.limite_mensagens_dia as limite, p.percentual
       from contas k
       join uso_diario u on u.conta_id = k.id and u.dia = ($1::timestamptz at time zone k.fuso)::date
       cross join (values (80), (100)) as p (percentual)
       where not k.sem_limite and u.usadas > 0 and u.usadas >= ceil(k.limite_mensagens_dia * p.percentual / 100.0)
         and not exists (
           select 1 from emails e where e.chave = format('limite%s:%s:%s', p.percentual, u.conta_id, u.dia))`,
      [deps.clock.now()],
    ),
  )
  for (const { conta_id: contaId, ...aviso } of marcas) {
    await deps.db.transaction(contaId, (tx) => avisarLimiteDiario(tx, deps, contaId, aviso))
  }
}
