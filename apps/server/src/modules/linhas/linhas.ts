import type { Linha } from '@balcao/contract/entities/linha'
import type { ConectorTipo } from '@balcao/contract/connectors'
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { shownMotivo, shownStatus } from '#modules/bot/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { type LineRow, listLines } from './repository.ts'

/** The main line first, then by name. */
export async function readLines(tx: Tx, deps: Pick<Deps, 'vault'>, contaId: string): Promise<Linha[]> {
  const [rows, { config }] = await inOrder([listLines(tx, { contaId }), loadConfig(tx, deps, contaId)])
  return rows.map((row) => toLinha(row, config.whatsapp.conector))
}

/** Throws `naoEncontrado`, also for a deleted line. */
export async function readLine(tx: Tx, deps: Pick<Deps, 'vault'>, contaId: string, id: string): Promise<Linha> {
  return requireLine(await readLines(tx, deps, contaId), id)
}

export function requireLine(linhas: readonly Linha[], id: string): Linha {
  const linha = linhas.find((one) => one.id === id)
  if (linha === undefined) throw new AppError('naoEncontrado')
  return linha
}

function toLinha(row: LineRow, mainConector: ConectorTipo): Linha {
  const { id, nome, principal, cor, setor, ativa, conectadoComo, criadaEm, versao } = row
  const motivo = shownMotivo(row, row.manutencao)
  return {
    ...{ id, nome, conector: row.conector ?? mainConector, principal, cor, setor, ativa, versao },
    ...(conectadoComo === null ? {} : { conectadoComo }),
    status: shownStatus(row),
    ...(motivo === null ? {} : { motivo }),
    criadaEm: criadaEm.toISOString(),
  }
}
