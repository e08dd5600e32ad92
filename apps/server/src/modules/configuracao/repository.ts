import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import type { VersaoConfig } from '@balcao/contract/entities/versao-config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { lerGuardada, paraGuardar } from './armazenado.ts'
import { aplicarPlano, type LimitesDaConta } from './rules.ts'
import { SETOR_GERAL } from './setores.ts'

export interface ConfigEmVigor {
  /** Contains real secrets. Must not leave the server. */
  readonly config: Config
  readonly versao: number
}

export interface Autor {
  readonly id: string | null
  readonly nome: string
}

/**
 * Serialises saves of the conta and returns the limits of its plan. `for no key update` does not block inserts of
 * messages, which reference the conta.
 */
export async function lockConta(tx: Tx, contaId: string): Promise<LimitesDaConta> {
  const conta = await tx.kysely
    .selectFrom('contas')
    .select(['iaPermitida', 'opcoesMenuMaximo'])
    .where('id', '=', contaId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (conta === undefined) throw new AppError('naoEncontrado')
  return conta
}

/**
 * Blocks saves of the configuration until the transaction ends, so a setor cannot be removed while a row starts to
 * reference it.
 */
export async function holdConfig(tx: Tx, contaId: string): Promise<void> {
  await tx.query('select 1 from contas where id = $1 for share', [contaId])
}

export async function loadConfig(tx: Tx, deps: Pick<Deps, 'cofre'>, contaId: string): Promise<ConfigEmVigor> {
  const linha = await tx.kysely
    .selectFrom('configuracoes')
    .innerJoin('contas', 'contas.id', 'configuracoes.contaId')
    .select(['configuracoes.versao', 'configuracoes.dados', 'contas.iaPermitida'])
    .where('configuracoes.contaId', '=', contaId)
    .orderBy('configuracoes.versao', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (linha === undefined) throw new AppError('naoEncontrado')
  return { config: aplicarPlano(lerGuardada(deps, contaId, linha.dados), linha.iaPermitida), versao: linha.versao }
}

export async function getVersao(tx: Tx, deps: Pick<Deps, 'cofre'>, contaId: string, versao: number): Promise<Config> {
  const linha = await tx.kysely
    .selectFrom('configuracoes')
    .select('dados')
    .where('contaId', '=', contaId)
    .where('versao', '=', versao)
    .executeTakeFirst()
  if (linha === undefined) throw new AppError('naoEncontrado')
  return lerGuardada(deps, contaId, linha.dados)
}

export async function listVersoes(
  tx: Tx,
  contaId: string,
  pagina: { readonly limite: number; readonly antesDe: number | null },
): Promise<Omit<VersaoConfig, 'atual'>[]> {
  const linhas = await tx.kysely
    .selectFrom('configuracoes')
    .select(['versao', 'criadaEm', 'autor'])
    .where('contaId', '=', contaId)
    .where('versao', '<', pagina.antesDe ?? 2_147_483_647)
    .orderBy('versao', 'desc')
    .limit(pagina.limite + 1)
    .execute()
  return linhas.map((linha) => ({ ...linha, criadaEm: linha.criadaEm.toISOString() }))
}

export async function insertVersao(
  tx: Tx,
  deps: Pick<Deps, 'cofre' | 'clock'>,
  contaId: string,
  nova: ConfigEmVigor & { readonly autor: Autor; readonly restauradaDe?: number | null },
): Promise<void> {
  await tx.kysely
    .insertInto('configuracoes')
    .values({
      contaId,
      versao: nova.versao,
      dados: paraGuardar(deps, contaId, nova.config),
      autorId: nova.autor.id,
      autor: nova.autor.nome,
      restauradaDe: nova.restauradaDe ?? null,
      criadaEm: deps.clock.now(),
    })
    .execute()
}

/** The time zone of the conta follows its business hours. */
export async function updateFuso(tx: Tx, contaId: string, fuso: string): Promise<void> {
  await tx.kysely.updateTable('contas').set({ fuso }).where('id', '=', contaId).where('fuso', '<>', fuso).execute()
}

export interface ConversaMovida {
  readonly id: string
  readonly operadorId: string | null
  readonly operador: string | null
  readonly naoLidas: number
}

/** Moves open conversas of removed setores to Geral. The operador keeps them. */
export async function moveConversasToGeral(
  tx: Tx,
  contaId: string,
  setores: readonly string[],
): Promise<ConversaMovida[]> {
  if (setores.length === 0) return []
  return tx.kysely
    .updateTable('conversas')
    .set({ setor: SETOR_GERAL })
    .where('contaId', '=', contaId)
    .where('setor', 'in', setores)
    .where('status', 'in', ['aguardando', 'em_atendimento'])
    .returning(['id', 'operadorId', 'operador', 'naoLidas'])
    .execute()
}

const comIdSchema = z.object({ id: z.string() })

/** Replaces removed setores of operadores by Geral. Returns the ids of the changed operadores. */
export async function moveOperadoresToGeral(tx: Tx, contaId: string, setores: readonly string[]): Promise<string[]> {
  if (setores.length === 0) return []
  const mudados = await tx.rows(
    comIdSchema,
    `update usuarios u set setores = (
       select jsonb_agg(distinct case when s = any ($2::text[]) then $3 else s end) from jsonb_array_elements_text(u.setores) s)
      where u.conta_id = $1 and u.tipo = 'operador' and u.excluido_em is null and u.setores ?| $2::text[] returning u.id`,
    [contaId, setores, SETOR_GERAL],
  )
  return mudados.map(({ id }) => id)
}
