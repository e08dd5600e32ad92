import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { avisarLimiteDiario } from '#modules/emails/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { Uso } from './hot-write.ts'
import type { BotDeps } from './runtime-deps.ts'
import { LIMITE_ATINGIDO } from './textos.ts'

/** How many messages an account may still send this day; the counter stays locked until the transaction ends. */
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

/** One warning a day in the account's log. Called under the counter's lock, so two transactions never both write it. */
export async function registrarLimite(tx: Tx, deps: BotDeps, contaId: string, dia: string): Promise<void> {
  const { rows } = await tx.query(
    `select 1 from logs l join contas k on k.id = l.conta_id
     where l.conta_id = $1 and l.tipo = 'warning' and l.mensagem = $2
       and l.timestamp >= $3::date::timestamp at time zone k.fuso limit 1`,
    [contaId, LIMITE_ATINGIDO, dia],
  )
  if (rows.length === 0) await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: LIMITE_ATINGIDO })
}

const AVISOS = [80, 100] as const

/** The marks, in percent of the daily limit, that the counter passed with this batch. */
export function marcasCruzadas({ limite, usadas, enviadas }: Uso): (80 | 100)[] {
  if (limite === null || enviadas === 0) return []
  return AVISOS.filter((percentual) => {
    const marca = Math.ceil((limite * percentual) / 100)
    return usadas >= marca && usadas - enviadas < marca
  })
}

/** Tells the owner by e-mail, right after the commit that passed a mark. */
export async function avisarMarcas(deps: BotDeps, usos: readonly Uso[]): Promise<void> {
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

/** Accounts past a mark today whose mail was never written: the process that should have ended right after its commit. */
export async function avisarMarcasPerdidas(deps: BotDeps): Promise<void> {
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
