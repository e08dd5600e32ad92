import { FUSO_PADRAO } from '@balcao/contract/constants'
import * as z from 'zod/mini'
import { sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Database, Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { raiseContextVersion, updateTimeZone } from '#modules/contas/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { insertVersao, loadConfig, lockConta } from './repository.ts'
import { unknownTimeZone } from './rules.ts'

const INVALID_PARAMETER_VALUE = '22023'

const readLocalTime = noRows('configuracao: read local time', sql`select now() at time zone ${value('zone', 'text')}`)

/** One unknown zone fails every statement over all contas, such as the list of usuarios. Throws `dadosInvalidos`. */
export async function requireDatabaseZone(tx: Tx, zone: string, caminho?: string): Promise<void> {
  try {
    await readLocalTime(tx, { zone })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === INVALID_PARAMETER_VALUE)) throw error
    throw unknownTimeZone(caminho)
  }
}

type RepairDeps = Pick<Deps, 'db' | 'vault' | 'clock' | 'ids' | 'realtime' | 'log'>

const listZones = manyRows(
  'configuracao: list time zones',
  z.object({ fuso: z.string(), contas: z.array(z.string()) }),
  sql`select fuso, array_agg(id::text) as contas from contas group by fuso`,
)

/** Runs at every start, because another server may have other zones. A conta that fails does not stop the start. */
export async function repairTimeZones(deps: RepairDeps): Promise<void> {
  const zones = await deps.db.read('*', (tx) => listZones(tx, {}))
  for (const { fuso, contas } of zones) {
    if (await isDatabaseZone(deps.db, fuso)) continue
    for (const contaId of contas) {
      await replaceTimeZone(deps, contaId, fuso).catch((error: unknown) => {
        deps.log.error({ err: error, contaId, fuso }, 'unknown time zone not replaced, administration fails')
      })
    }
  }
}

async function isDatabaseZone(db: Database, zone: string): Promise<boolean> {
  try {
    await db.read('*', (tx) => requireDatabaseZone(tx, zone))
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function replaceTimeZone(deps: RepairDeps, contaId: string, zone: string): Promise<void> {
  await deps.db.transaction(contaId, async (tx) => {
    await lockConta(tx, contaId)
    const { config, linhas, versao } = await loadConfig(tx, deps, contaId)
    const { atendimento } = config
    const horario = { ...atendimento.horario, fuso: FUSO_PADRAO }
    await insertVersao(tx, deps, contaId, {
      config: { ...config, atendimento: { ...atendimento, horario } },
      linhas,
      versao: versao + 1,
      autor: { id: null, nome: 'Balcão' },
    })
    await updateTimeZone(tx, { contaId, timeZone: FUSO_PADRAO })
    await raiseContextVersion(tx, { contaId })
    const mensagem = `O banco de dados não conhece o fuso horário ${zone}. A conta passou para ${FUSO_PADRAO}. Confira o horário de funcionamento.`
    await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem })
  })
}
