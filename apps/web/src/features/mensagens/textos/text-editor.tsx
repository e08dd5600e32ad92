import { EMOJIS } from '@balcao/contract/presets/editor-presets'
import clsx from 'clsx'
import { Bold, Italic, Strikethrough } from 'lucide-react'
import { useId, useRef, type ReactNode } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Counter } from '#shared/ui/counter.tsx'

const MARKS = [
  { mark: '*', name: 'Negrito', icon: <Bold size={16} aria-hidden /> },
  { mark: '_', name: 'Itálico', icon: <Italic size={16} aria-hidden /> },
  { mark: '~', name: 'Riscado', icon: <Strikethrough size={16} aria-hidden /> },
] as const

export interface TextEditorProps {
  readonly label: string
  readonly value: string
  readonly counter: number
  readonly editing: boolean
  readonly onChange: (value: string) => void
  readonly rows?: number
  readonly withEmojis?: boolean
  readonly hint?: ReactNode
}

interface Insertion {
  readonly text: string
  readonly cursor: number
}

function wrapSelection(text: string, start: number, end: number, mark: string): Insertion {
  const chosen = text.slice(start, end)
  return {
    text: `${text.slice(0, start)}${mark}${chosen}${mark}${text.slice(end)}`,
    cursor: end + (chosen === '' ? mark.length : 2 * mark.length),
  }
}

function insertText(text: string, start: number, end: number, snippet: string): Insertion {
  return { text: `${text.slice(0, start)}${snippet}${text.slice(end)}`, cursor: start + snippet.length }
}

type Apply = (change: (text: string, start: number, end: number) => Insertion) => void

export function TextEditor(props: TextEditorProps) {
  const { label, value, counter, editing, onChange, rows = 3, withEmojis = false, hint } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const apply: Apply = (change) => {
    const field = area.current
    if (field === null) return
    const { text, cursor } = change(field.value, field.selectionStart, field.selectionEnd)
    onChange(text)
    // After React applied the value, the cursor moves behind the insertion.
    requestAnimationFrame(() => {
      field.focus()
      field.setSelectionRange(cursor, cursor)
    })
  }
  return (
    <div className="@container">
      <div className="mb-1 flex items-center justify-between gap-2">
        <label htmlFor={id} className="text-sm leading-tight font-semibold">
          {label}
        </label>
        <span className="flex items-center gap-1">
          {editing && <MarkButtons label={label} apply={apply} />}
          <Counter usado={value.length} total={counter} />
        </span>
      </div>
      {editing && withEmojis && <EmojiButtons apply={apply} />}
      <textarea
        ref={area}
        id={id}
        rows={rows}
        value={value}
        readOnly={!editing}
        // Read-only text grows with its content. Browsers without `field-sizing` scroll.
        className={clsx(
          'field field-sizing-content',
          editing
            ? `max-h-80 resize-y ${rows > 3 ? 'min-h-28' : 'min-h-17'}`
            : '!min-h-0 resize-none !border-transparent !bg-sunken',
        )}
        aria-describedby={hint === undefined ? undefined : `${id}-dica`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-dica`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

function MarkButtons({ label, apply }: { label: string; apply: Apply }) {
  return MARKS.map(({ mark, name, icon }) => (
    <IconButton
      key={mark}
      label={`${name} em ${label}`}
      tooltip={false}
      icon={icon}
      className="!min-h-8 !w-8"
      onClick={() => apply((text, start, end) => wrapSelection(text, start, end, mark))}
    />
  ))
}

function EmojiButtons({ apply }: { apply: Apply }) {
  return (
    <div role="group" aria-label="Emojis" className="-mx-1 mb-1 grid grid-cols-10 @xl:grid-cols-20">
      {EMOJIS.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-label={`Inserir ${emoji}`}
          className="grid h-9 place-items-center rounded-lg text-lg hover:bg-sunken"
          onClick={() => apply((text, start, end) => insertText(text, start, end, emoji))}
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}
