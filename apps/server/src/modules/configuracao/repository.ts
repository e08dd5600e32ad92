import * as z from 'zod/mini'
import type { VersaoConfig } from '@balcao/contract/entities/versao-config'
import { instant } from '#db/statement/fields.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { applyPlanoToConfig, type ContaLimits } from './rules.ts'
import { newContaConfig, parseStoredConfig, serializeConfig, type WholeConfig } from './stored-config.ts'
import { findEqualContent } from './version-contents.ts'

export interface CurrentConfig extends WholeConfig {
  readonly versao: number
}

interface ConfigAuthor {
  readonly id: string | null
  readonly nome: string
}

const contas = value('contas', 'uuid[]')
const versao = value('versao', 'int')

const lockLimits = oneRow(
  'configuracao: lock limits',
  z.object({ iaPermitida: z.boolean(), opcoesMenuMaximo: z.nullable(z.int()) }),
  sql`select ia_permitida, opcoes_menu_maximo from contas where id = ${contaId} for no key update`,
)

/** Without a lock, for work that only reads. */
export const readLimits = oneRow(
  'configuracao: read limits',
  z.object({ iaPermitida: z.boolean(), opcoesMenuMaximo: z.nullable(z.int()) }),
  sql`select ia_permitida, opcoes_menu_maximo from contas where id = ${contaId}`,
)

/** `for no key update` does not block inserts of messages, which reference the conta. */
export async function lockConta(tx: Tx, contaId: string): Promise<ContaLimits> {
  const limits = await lockLimits(tx, { contaId })
  if (limits === null) throw new AppError('naoEncontrado')
  return limits
}

/**
 * No setor can be removed while a row starts to reference it. A row that was locked by another transaction is returned as
 * that transaction left it.
 */
export const holdConfig = manyRows(
  'contas-segurar',
  z.object({ id: z.string(), versaoContexto: z.int() }),
  sql`select id, versao_contexto from contas where id = any (${contas}) order by id for share`,
  { prepared: true },
)

export async function loadConfig(tx: Tx, deps: Pick<Deps, 'vault'>, contaId: string): Promise<CurrentConfig> {
  const current = (await loadConfigs(tx, deps, [contaId])).get(contaId)
  if (current === undefined) throw new AppError('naoEncontrado')
  return current
}

const listCurrent = manyRows(
  'configuracoes-atuais',
  z.object({ contaId: z.string(), versao: z.int(), dados: z.unknown(), iaPermitida: z.boolean() }),
  sql`
select k.id as conta_id, v.versao, c.dados, k.ia_permitida
from contas k
cross join lateral (
  select versao, coalesce(igual_a, versao) as conteudo from configuracoes
  where conta_id = k.id order by versao desc limit 1
) v
join configuracoes c on c.conta_id = k.id and c.versao = v.conteudo
where k.id = any (${contas})`,
  { prepared: true },
)

export async function loadConfigs(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contas: readonly string[],
): Promise<Map<string, CurrentConfig>> {
  if (contas.length === 0) return new Map()
  return new Map(
    (await listCurrent(tx, { contas })).map(({ contaId, versao, dados, iaPermitida }) => {
      return [contaId, { ...applyPlanoToConfig(parseStoredConfig(deps, contaId, dados), iaPermitida), versao }]
    }),
  )
}

/** The content of a version lies in its own row, or in that of the version which it equals. */
const versoesWithContent = sql`configuracoes v
  join configuracoes c on c.conta_id = v.conta_id and c.versao = coalesce(v.igual_a, v.versao)`

const findContent = oneRow(
  'configuracao: find content',
  z.object({ dados: z.unknown() }),
  sql`select c.dados from ${versoesWithContent} where v.conta_id = ${contaId} and v.versao = ${versao}`,
)

export async function getVersao(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  version: number,
): Promise<WholeConfig> {
  const content = await findContent(tx, { contaId, versao: version })
  if (content === null) throw new AppError('naoEncontrado')
  if (content.dados === null)
    throw new AppError('naoEncontrado', { erro: 'O conteúdo desta versão não está mais guardado.' })
  return parseStoredConfig(deps, contaId, content.dados)
}

const listVersaoRows = manyRows(
  'configuracao: list versoes',
  z.object({ versao: z.int(), criadaEm: instant, autor: z.string(), guardada: z.boolean() }),
  sql`select v.versao, v.criada_em, v.autor, c.dados is not null as guardada from ${versoesWithContent}
    where v.conta_id = ${contaId} and v.versao < ${value('antesDe', 'int')}
    order by v.versao desc limit ${value('limit', 'int')}`,
)
const INT_MAX = 2_147_483_647

export function listVersoes(
  tx: Tx,
  contaId: string,
  { limite, antesDe }: { readonly limite: number; readonly antesDe: number | null },
): Promise<Omit<VersaoConfig, 'atual'>[]> {
  return listVersaoRows(tx, { contaId, antesDe: antesDe ?? INT_MAX, limit: limite + 1 })
}

const insertRow = noRows(
  'configuracao: insert versao',
  sql`insert into configuracoes (conta_id, versao, dados, igual_a, bytes, autor_id, autor, restaurada_de, criada_em)
    values (${contaId}, ${versao}, ${value('dados', 'text?')}::jsonb, ${value('igualA', 'int?')}, ${value('bytes', 'int')},
      ${value('autorId', 'uuid?')}, ${value('autor', 'text')}, ${value('restauradaDe', 'int?')},
      ${value('criadaEm', 'timestamptz')})`,
)

export async function insertVersao(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'clock'>,
  contaId: string,
  input: CurrentConfig & { readonly autor: ConfigAuthor; readonly restauradaDe?: number | null },
): Promise<void> {
  const equal = await findEqualContent(tx, deps, contaId, input)
  const dados = equal === null ? serializeConfig(deps, contaId, input) : null
  await insertRow(tx, {
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
}

export const clearKeysBefore = noRows(
  'configuracao: clear keys',
  sql`update configuracoes set dados =
      jsonb_set(dados, '{gemini,apiKey}', '""') #- '{ia,chaves}'
    where conta_id = ${contaId} and versao < ${versao}
      and (dados #>> '{gemini,apiKey}' <> '' or dados #> '{ia,chaves}' is not null)`,
)

export async function insertDefaultConfig(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'clock' | 'settings'>,
  contaId: string,
  { author, empresa }: { readonly author: ConfigAuthor; readonly empresa: string },
): Promise<void> {
  const config = newContaConfig(deps.clock, { conector: deps.settings.conectorPadrao, empresa })
  await insertVersao(tx, deps, contaId, { config, linhas: {}, versao: 1, autor: author })
}
