import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import type { VersaoConfig } from '@balcao/contract/entities/versao-config'
import type { JoinBuilder } from 'kysely'
import { plainArray } from '#db/arrays.ts'
import type { Tables } from '#db/tables.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { applyPlanoToConfig, type ContaLimits } from './rules.ts'
import { newContaConfig, parseStoredConfig, serializeConfig } from './stored-config.ts'
import { findEqualContent } from './version-contents.ts'

export interface CurrentConfig {
  /** Contains real secrets. Must not leave the server. */
  readonly config: Config
  readonly versao: number
}

export interface ConfigAuthor {
  readonly id: string | null
  readonly nome: string
}

/**
 * Serialises saves of the conta and returns the limits of its plan. `for no key update` does not block inserts of
 * messages, which reference the conta.
 */
export async function lockConta(tx: Tx, contaId: string): Promise<ContaLimits> {
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
export async function holdConfig(tx: Tx, contas: readonly string[]): Promise<void> {
  const sql = 'select 1 from contas where id = any ($1::uuid[]) order by id for share'
  await tx.queryNamed('contas-segurar', sql, [plainArray(contas)])
}

export async function loadConfig(tx: Tx, deps: Pick<Deps, 'vault'>, contaId: string): Promise<CurrentConfig> {
  const current = (await loadConfigs(tx, deps, [contaId])).get(contaId)
  if (current === undefined) throw new AppError('naoEncontrado')
  return current
}

const CURRENT_CONFIGS_SQL = `
select k.id as "contaId", v.versao, c.dados, k.ia_permitida as "iaPermitida"
from contas k
cross join lateral (
  select versao, coalesce(igual_a, versao) as conteudo from configuracoes
  where conta_id = k.id order by versao desc limit 1
) v
join configuracoes c on c.conta_id = k.id and c.versao = v.conteudo
where k.id = any ($1::uuid[])`

const currentConfigSchema = z.object({
  contaId: z.string(),
  versao: z.number(),
  dados: z.unknown(),
  iaPermitida: z.boolean(),
})

const CURRENT_VERSIONS_SQL = `
select k.id as "contaId", (
  select versao from configuracoes where conta_id = k.id order by versao desc limit 1
) as versao
from unnest($1::uuid[]) as k (id)`

/** Returns conta id → version of the current configuration, without reading its content. */
export async function readVersions(tx: Tx, contas: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await tx.queryNamed<{ contaId: string; versao: number }>(
    'configuracoes-versoes',
    CURRENT_VERSIONS_SQL,
    [plainArray(contas)],
  )
  return new Map(rows.map(({ contaId, versao }) => [contaId, versao]))
}

/** Returns conta id → current configuration. */
export async function loadConfigs(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contas: readonly string[],
): Promise<Map<string, CurrentConfig>> {
  if (contas.length === 0) return new Map()
  const { rows } = await tx.queryNamed('configuracoes-atuais', CURRENT_CONFIGS_SQL, [plainArray(contas)])
  return new Map(
    rows.map((row) => {
      const { contaId, versao, dados, iaPermitida } = currentConfigSchema.parse(row)
      return [contaId, { config: applyPlanoToConfig(parseStoredConfig(deps, contaId, dados), iaPermitida), versao }]
    }),
  )
}

/** The content of a version lies in its own row, or in that of the version which it equals. */
function joinContent(
  join: JoinBuilder<Tables & { conteudo: Tables['configuracoes'] }, 'configuracoes' | 'conteudo'>,
): typeof join {
  return join
    .onRef('conteudo.contaId', '=', 'configuracoes.contaId')
    .on('conteudo.versao', '=', (eb) => eb.fn.coalesce('configuracoes.igualA', 'configuracoes.versao'))
}

export async function getVersao(tx: Tx, deps: Pick<Deps, 'vault'>, contaId: string, version: number): Promise<Config> {
  const line = await tx.kysely
    .selectFrom('configuracoes')
    .innerJoin('configuracoes as conteudo', joinContent)
    .select('conteudo.dados')
    .where('configuracoes.contaId', '=', contaId)
    .where('configuracoes.versao', '=', version)
    .executeTakeFirst()
  if (line === undefined) throw new AppError('naoEncontrado')
  if (line.dados === null)
    throw new AppError('naoEncontrado', { erro: 'O conteúdo desta versão não está mais guardado.' })
  return parseStoredConfig(deps, contaId, line.dados)
}

export async function listVersoes(
  tx: Tx,
  contaId: string,
  page: { readonly limite: number; readonly antesDe: number | null },
): Promise<Omit<VersaoConfig, 'atual'>[]> {
  const lines = await tx.kysely
    .selectFrom('configuracoes')
    .innerJoin('configuracoes as conteudo', joinContent)
    .select(['configuracoes.versao', 'configuracoes.criadaEm', 'configuracoes.autor'])
    .select((eb) => eb('conteudo.dados', 'is not', null).as('guardada'))
    .where('configuracoes.contaId', '=', contaId)
    .where('configuracoes.versao', '<', page.antesDe ?? 2_147_483_647)
    .orderBy('configuracoes.versao', 'desc')
    .limit(page.limite + 1)
    .execute()
  return lines.map(({ criadaEm, guardada, ...line }) => ({
    ...line,
    criadaEm: criadaEm.toISOString(),
    guardada: Boolean(guardada),
  }))
}

/** A version equal to the one before stores no content. */
export async function insertVersao(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'clock'>,
  contaId: string,
  input: CurrentConfig & { readonly autor: ConfigAuthor; readonly restauradaDe?: number | null },
): Promise<void> {
  const equal = await findEqualContent(tx, deps, contaId, input.config)
  const dados = equal === null ? serializeConfig(deps, contaId, input.config) : null
  await tx.kysely
    .insertInto('configuracoes')
    .values({
      contaId,
      versao: input.versao,
      dados,
      igualA: equal,
      bytes: Buffer.byteLength(dados ?? ''),
      autorId: input.autor.id,
      autor: input.autor.nome,
      restauradaDe: input.restauradaDe ?? null,
      criadaEm: deps.clock.now(),
    })
    .execute()
}

/** Empties the sealed API key of all versions before this one. */
export async function clearKeysBefore(tx: Tx, contaId: string, version: number): Promise<void> {
  await tx.query(
    `update configuracoes set dados = jsonb_set(dados, '{gemini,apiKey}', '""')
      where conta_id = $1 and versao < $2 and dados #>> '{gemini,apiKey}' <> ''`,
    [contaId, version],
  )
}

export async function insertDefaultConfig(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'clock' | 'settings'>,
  contaId: string,
  author: ConfigAuthor,
): Promise<void> {
  const config = newContaConfig(deps.clock, deps.settings.conectorPadrao)
  await insertVersao(tx, deps, contaId, { config, versao: 1, autor: author })
}
