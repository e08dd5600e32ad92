import type { Conversa } from '#entities/conversa.ts'
import { mergeMensagem } from './mensagens.ts'

/** The conversas that a panel knows. Changes return a new value, in which the other conversas are the same objects. */
export interface KnownConversas {
  readonly byId: ReadonlyMap<string, Conversa>
  /**
   * The `revisao` of their end, for the last conversas that ended. An event that another node published before the end may
   * arrive after it.
   */
  readonly ended: ReadonlyMap<string, number>
}

export const NO_CONVERSAS: KnownConversas = { byId: new Map(), ended: new Map() }

/** The one rule for newer and older: a copy or a change without `revisao` counts by its arrival. */
export function supersedes(fresh: { readonly revisao?: number | undefined }, held: Pick<Conversa, 'revisao'>): boolean {
  return (fresh.revisao ?? Infinity) >= (held.revisao ?? -1)
}

/**
 * Another node may have published a delivery or a mark of a message before this read of the conversa arrived. An event
 * has no `minha`, because it goes to many people.
 */
function withHeld(conversa: Conversa, { mensagens: held, minha }: Conversa): Conversa {
  const known = new Map(held.map((mensagem) => [mensagem.id, mensagem]))
  const mensagens = conversa.mensagens.map((mensagem) => mergeMensagem(known.get(mensagem.id) ?? mensagem, mensagem))
  return { ...(minha === undefined ? {} : { minha }), ...conversa, mensagens }
}

/** Stores copies of conversas, from an event or from an answer, except those of which a newer one is known. */
export function putConversas(known: KnownConversas, conversas: readonly Conversa[]): KnownConversas {
  const byId = new Map(known.byId)
  for (const conversa of conversas) {
    const held = byId.get(conversa.id)
    const least = conversa.status === 'finalizada' ? {} : nextAfterEnd(known, conversa.id)
    if (!supersedes(conversa, least) || (held !== undefined && !supersedes(conversa, held))) continue
    byId.set(conversa.id, held === undefined ? conversa : withHeld(conversa, held))
  }
  return { ...known, byId }
}

/** Changes a known conversa. An unknown one stays unknown. */
export function updateConversa(
  known: KnownConversas,
  id: string,
  update: (conversa: Conversa) => Conversa,
): KnownConversas {
  const held = known.byId.get(id)
  if (held === undefined) return known
  const changed = update(held)
  return changed === held ? known : { ...known, byId: new Map(known.byId).set(id, changed) }
}

/** Changes all known conversas of a contato. */
export function updateContato(
  known: KnownConversas,
  contatoId: string,
  update: (conversa: Conversa) => Conversa,
): KnownConversas {
  const concerned = [...known.byId.values()].filter((conversa) => conversa.contatoId === contatoId)
  return concerned.reduce((now, { id }) => updateConversa(now, id, update), known)
}

/** Forgets conversas that the panel may not show. */
export function forgetConversas(known: KnownConversas, ids: readonly string[]): KnownConversas {
  const byId = new Map(known.byId)
  for (const id of ids) byId.delete(id)
  return { ...known, byId }
}

/** The least `revisao` of a conversa that was opened again after its end. */
export function nextAfterEnd({ ended }: KnownConversas, id: string): Pick<Conversa, 'revisao'> {
  const end = ended.get(id)
  return end === undefined ? {} : { revisao: end + 1 }
}

/** The open conversas, latest activity first, then highest id: the order of the server. */
export function openConversas({ byId }: KnownConversas): Conversa[] {
  // ISO instants in UTC compare as text.
  return [...byId.values()]
    .filter(({ status }) => status !== 'finalizada')
    .toSorted((a, b) => {
      const [one, other] =
        a.ultimaAtividade === b.ultimaAtividade ? [a.id, b.id] : [a.ultimaAtividade, b.ultimaAtividade]
      return one < other ? 1 : -1
    })
}
