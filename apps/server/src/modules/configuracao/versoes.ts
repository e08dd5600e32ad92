import type { QueryOf } from '@balcao/contract/define-route'
import type { versoesConfigRoute } from '@balcao/contract/routes/config'
import type { ConectorTipo } from '@balcao/contract/connectors'
import type { Config, VersionedConfig } from '@balcao/contract/entities/config'
import type { VersaoConfig } from '@balcao/contract/entities/versao-config'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { changeConfig, type ConfigDeps } from './change-config.ts'
import { withKeysInForce } from './ia/ia-rules.ts'
import { listVersoes, getVersao } from './repository.ts'
import { writableSectionsOf } from './rules.ts'

/** Sections the session may not write keep their current values. `versao`: the version that the client knows. */
export async function restoreVersao(
  deps: ConfigDeps & Pick<Deps, 'ids'>,
  session: RequestSession,
  { qual, versao, motivo }: { readonly qual: number; readonly versao: number | null; readonly motivo: string | null },
): Promise<VersionedConfig> {
  const allowed = writableSectionsOf(session)
  if (!Object.values(allowed).includes(true)) throw new AppError('semPermissao')
  return changeConfig(deps, {
    session,
    allowed,
    versao,
    restauradaDe: qual,
    motivo,
    compose: async ({ config: current, linhas }, tx) => {
      const stored = await getVersao(tx, deps, session.contaId, qual)
      const detalhe = `Versão ${qual}`
      await recordAuditoria(tx, deps, { acao: 'configRestaurada', quem: session, detalhe })
      const config = withConectorPresent(withKeysInForce(stored.config, current), current, deps.conectores)
      // Lines that were created later keep their sections.
      return { config, linhas: { ...linhas, ...stored.linhas } }
    },
  })
}

function withConectorPresent(stored: Config, { whatsapp }: Config, conectores: readonly ConectorTipo[]): Config {
  if (conectores.includes(stored.whatsapp.conector)) return stored
  return { ...stored, whatsapp: { ...stored.whatsapp, conector: whatsapp.conector } }
}

const PER_PAGE = 50

/** The first entry of the first page is the version in force. */
export async function listVersaoPage(
  { db }: Pick<Deps, 'db'>,
  contaId: string,
  { limite = PER_PAGE, cursor }: QueryOf<typeof versoesConfigRoute>,
): Promise<{ versoes: VersaoConfig[]; proximoCursor?: string }> {
  const antesDe = cursor === undefined ? null : parseCursor(cursor)
  const parsed = await db.transaction(contaId, (tx) => listVersoes(tx, contaId, { limite, antesDe }))
  const versions = parsed
    .slice(0, limite)
    .map((version, index) => ({ ...version, atual: antesDe === null && index === 0 }))
  const last = versions.at(-1)
  return parsed.length > limite && last !== undefined
    ? { versoes: versions, proximoCursor: String(last.versao) }
    : { versoes: versions }
}

function parseCursor(cursor: string): number {
  if (!/^\d{1,9}$/.test(cursor)) throw new AppError('dadosInvalidos')
  return Number(cursor)
}
