import { foldAccents } from '@balcao/contract/text/fold-accents'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { OpcaoMenu, Setor } from '@balcao/contract/entities/config'
import type { ErrorDetail } from '@balcao/contract/errors'

const ID_MAX = 60

export type ResolvedSetores =
  | {
      readonly tipo: 'ok'
      readonly setores: Setor[]
      /** Ids of removed setores. Rows that reference them move to `geral`. */
      readonly removidos: readonly string[]
      /** Maps the id sent for a new setor to its final id. */
      readonly novos: ReadonlyMap<string, string>
    }
  | { readonly tipo: 'semGeral' }

/** Lower case without accents, spaces as `_`. Keeps only letters, digits, `_` and `-`. */
function setorSlug(name: string): string {
  const slug = foldAccents(name.trim())
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, ID_MAX)
  return /[a-z0-9]/.test(slug) ? slug : 'setor'
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  const base = setorSlug(name)
  if (!taken.has(base)) return base
  for (let suffix = 2; ; suffix += 1) {
    const id = `${base}_${suffix}`
    if (!taken.has(id)) return id
  }
}

/**
 * Merges the sent list with the stored one. A known id keeps its id and creation date whatever its name. Every
 * other setor is new, including the second one with the same id. A restored version may bring back removed ids.
 */
export function resolveSetores(
  current: readonly Setor[],
  sent: readonly Setor[],
  { agora, restaurando = false }: { readonly agora: Date; readonly restaurando?: boolean },
): ResolvedSetores {
  const known = new Map(current.map((setor) => [setor.id, setor]))
  if (!sent.some(({ id }) => id === SETOR_GERAL)) return { tipo: 'semGeral' }

  // A removed id stays taken during this save, so an id never changes its meaning.
  const busy = new Set(known.keys())
  const created = new Map<string, string>()
  const setores = sent.map((setor, index): Setor => {
    const first = sent.findIndex(({ id }) => id === setor.id) === index
    const conhecido = first ? (known.get(setor.id) ?? (restaurando ? setor : undefined)) : undefined
    if (conhecido !== undefined) return { ...setor, criadoEm: conhecido.criadoEm }
    const id = freeId(setor.nome, busy)
    busy.add(id)
    if (!created.has(setor.id)) created.set(setor.id, id)
    return { ...setor, id, criadoEm: agora.toISOString() }
  })
  const kept = new Set(setores.map(({ id }) => id))
  return { tipo: 'ok', setores, novos: created, removidos: [...known.keys()].filter((id) => !kept.has(id)) }
}

export type ResolvedOpcoes =
  | { readonly tipo: 'ok'; readonly opcoes: OpcaoMenu[] }
  | { readonly tipo: 'desconhecido'; readonly detalhes: readonly ErrorDetail[] }

/**
 * Points each human option to an existing setor: maps new ids, replaces removed ones by `geral`, reports unknown
 * ones.
 */
export function resolveOpcoes(
  opcoes: readonly OpcaoMenu[],
  resolved: Pick<Extract<ResolvedSetores, { tipo: 'ok' }>, 'setores' | 'removidos' | 'novos'>,
): ResolvedOpcoes {
  const existing = new Set(resolved.setores.map(({ id }) => id))
  const removed = new Set(resolved.removidos)
  const detalhes: ErrorDetail[] = []
  const pointed = opcoes.map((opcao, index): OpcaoMenu => {
    const { setor: sent, ...rest } = opcao
    if (opcao.tipo !== 'humano') return rest
    const request = sent === undefined || sent === '' ? SETOR_GERAL : sent
    const setor = existing.has(request) ? request : (resolved.novos.get(request) ?? request)
    if (existing.has(setor)) return { ...rest, setor }
    if (removed.has(setor)) return { ...rest, setor: SETOR_GERAL }
    detalhes.push({ caminho: `menu.opcoes.${index}.setor`, mensagem: 'Este setor não existe.' })
    return opcao
  })
  return detalhes.length > 0 ? { tipo: 'desconhecido', detalhes } : { tipo: 'ok', opcoes: pointed }
}
