import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Atendente } from '@balcao/contract/entities/operador'
import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useDraft, writeDraft } from '#features/atendimento/envio/drafts.ts'
import { listKey } from '#features/atendimento/envio/quick-replies.tsx'
import { notify } from '#shared/avisos.ts'
import { useAtendentes } from '#shared/conta/atendentes.ts'
import { useWriteNota } from '#shared/data/contatos/notas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { matchPeople, mentionable, mentionedIds, typedMention } from './mentions.ts'

/** The draft of the nota is separate, so that a nota never becomes the text of a mensagem. */
const notaDraftKey = (conversaId: string): string => `nota:${conversaId}`

interface MentionChoice {
  readonly found: readonly Atendente[]
  readonly selected: number
  readonly choose: (person: Atendente) => void
  readonly onKey: (event: KeyboardEvent) => boolean
}

function useMentionChoice(
  text: string,
  people: readonly Atendente[],
  field: RefObject<HTMLTextAreaElement | null>,
  onText: (text: string) => void,
) {
  const [caret, setCaret] = useState(text.length)
  const [position, setPosition] = useState({ text, index: 0 })
  const [dismissed, setDismissed] = useState<string | null>(null)
  const typed = dismissed === text ? null : typedMention(text, caret)
  const found = typed === null ? [] : matchPeople(people, typed.name)
  const selected = Math.min(position.text === text ? position.index : 0, Math.max(0, found.length - 1))
  const choose = (person: Atendente): void => {
    if (typed === null) return
    const before = `${text.slice(0, typed.at)}@${person.nome} `
    onText(before + text.slice(caret))
    setCaret(before.length)
    // The field has its new text only after the render.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(before.length, before.length)
    })
  }
  const onKey = (event: KeyboardEvent): boolean => {
    const person = found[selected]
    if (person === undefined) return false
    if (event.key === 'Escape') {
      event.stopPropagation()
      setDismissed(text)
      return true
    }
    const action = listKey(event)
    if (action === undefined) return false
    event.preventDefault()
    if (action === 'use') choose(person)
    else setPosition({ text, index: (selected + action + found.length) % found.length })
    return true
  }
  const choice: MentionChoice = { found, selected, choose, onKey }
  return { choice, setCaret }
}

function MentionList({ id, choice: { found, selected, choose } }: { id: string; choice: MentionChoice }) {
  if (found.length === 0) return null
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Pessoas que podem ver esta conversa"
      className="relative mb-2 max-h-44 overflow-y-auto rounded-xl border bg-surface p-1 shadow-pop"
    >
      {found.map((person, index) => (
        <button
          key={person.id}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          onClick={() => choose(person)}
          className="block min-h-11 w-full rounded-lg px-3 text-left text-sm font-semibold hover:bg-sunken lg:min-h-9 aria-selected:bg-brand-soft"
        >
          {person.nome}
        </button>
      ))}
    </div>
  )
}

interface NotaComposerProps {
  readonly conversa: Conversa
  readonly onLeave: () => void
}

function useNotaField({ conversa, onLeave }: NotaComposerProps) {
  const draftKey = notaDraftKey(conversa.id)
  const text = useDraft(draftKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const people = mentionable(useAtendentes(), conversa, useUsuario().id)
  const { mutate: save, isPending: saving } = useWriteNota(conversa.id)
  const onText = (fresh: string): void => writeDraft(draftKey, fresh)
  const { choice, setCaret } = useMentionChoice(text, people, field, onText)
  useEffect(() => field.current?.focus(), [])
  const submit = (): void => {
    field.current?.focus()
    const texto = text.trim()
    if (texto === '' || saving) return
    save(
      { texto, mencoes: mentionedIds(texto, people) },
      {
        onSuccess: () => writeDraft(draftKey, ''),
        onError: (error) => notify.erro(`Erro ao salvar a nota: ${errorMessage(error)}`),
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || choice.onKey(event)) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onLeave()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      submit()
    }
  }
  const onChange = ({ currentTarget }: ChangeEvent<HTMLTextAreaElement>): void => {
    setCaret(currentTarget.selectionStart)
    onText(currentTarget.value)
  }
  const onSelect = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>): void =>
    setCaret(currentTarget.selectionStart)
  return { saving, submit, choice, attributes: { ref: field, value: text, onKeyDown, onChange, onSelect } }
}

/** Writes a nota. Enter saves, Shift+Enter breaks the line, `@` offers people, Esc returns to the mensagem. */
export function NotaComposer(props: NotaComposerProps) {
  const id = useId()
  const { saving, submit, choice, attributes } = useNotaField(props)
  const listed = choice.found.length > 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <MentionList id={id} choice={choice} />
      <div className="flex items-end gap-1 sm:gap-2">
        <textarea
          {...attributes}
          aria-label="Nota interna para a equipe"
          data-compositor="livre"
          rows={1}
          className="field max-h-36 min-h-11 min-w-0 flex-1 resize-none border-warn-fill bg-warn-soft field-sizing-content placeholder:text-warn-ink lg:min-h-10"
          placeholder="Nota para a equipe. @ menciona"
          autoComplete="off"
          maxLength={TEXTO_MAXIMO}
          aria-controls={listed ? id : undefined}
          aria-activedescendant={listed ? `${id}-${choice.selected}` : undefined}
        />
        <Button
          type="submit"
          size="touch"
          className="flex-none"
          disabled={attributes.value.trim() === ''}
          busy={saving}
        >
          Salvar nota
        </Button>
      </div>
    </form>
  )
}
