import { foldAccents } from '@balcao/contract/text/fold-accents'
import { type ConversaAccess, mayReadConversa } from '@balcao/contract/conversa-access'
import type { Atendente } from '@balcao/contract/entities/operador'

type Person = Pick<Atendente, 'id' | 'nome'>

/** A part of a nota. `people` is set on a mention: all people with that name. */
export interface NotaPart {
  readonly text: string
  readonly people?: readonly string[]
}

export function mentionable(
  people: readonly Atendente[],
  conversa: ConversaAccess,
  myId: string,
): readonly Atendente[] {
  return people.filter((person) => person.id !== myId && mayReadConversa({ ...person, usuarioId: person.id }, conversa))
}

/** Splits a text at its mentions. `@Ana Ribeiro` mentions Ana Ribeiro, not Ana: the longest name counts. */
export function splitMentions(text: string, people: readonly Person[]): readonly NotaPart[] {
  const names = [...new Set(people.map(({ nome }) => nome))].toSorted((a, b) => b.length - a.length)
  const parts: NotaPart[] = []
  let start = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const nome = names.find((one) => text.startsWith(one, at + 1))
    if (nome === undefined) continue
    if (at > start) parts.push({ text: text.slice(start, at) })
    parts.push({ text: `@${nome}`, people: people.filter((one) => one.nome === nome).map(({ id }) => id) })
    start = at + 1 + nome.length
  }
  if (start < text.length) parts.push({ text: text.slice(start) })
  return parts
}

export function mentionedIds(text: string, people: readonly Person[]): string[] {
  return [...new Set(splitMentions(text, people).flatMap((part) => part.people ?? []))]
}

/** The name that is being typed before the caret: what follows an `@` at the start of a word. Null: none. */
export function typedMention(text: string, caret: number): { readonly at: number; readonly name: string } | null {
  const found = /(?:^|\s)@([^@\n]{0,40})$/u.exec(text.slice(0, caret))
  const name = found?.[1]
  return name === undefined ? null : { at: caret - name.length - 1, name }
}

export function matchPeople(people: readonly Atendente[], typed: string): readonly Atendente[] {
  const term = foldAccents(typed)
  return people.filter(({ nome }) => ` ${foldAccents(nome)}`.includes(` ${term}`))
}
