import { EMOJIS } from '@balcao/contract/presets/editor-presets'
import clsx from 'clsx'
import { useId, useRef, type ReactNode } from 'react'
import { changeField, insertText, MARKS, type TextChange, wrapWith } from '#shared/form/text-marks.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Counter } from '#shared/ui/counter.tsx'

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

type Apply = (change: TextChange) => void

export function TextEditor(props: TextEditorProps) {
  const { label, value, counter, editing, onChange, rows = 3, withEmojis = false, hint } = props
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const apply: Apply = (change) => changeField(area, onChange, change)
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
  return MARKS.map(({ mark, name, Icon }) => (
    <IconButton
      key={mark}
      label={`${name} em ${label}`}
      tooltip={false}
      icon={<Icon size={16} aria-hidden />}
      className="!min-h-8 !w-8"
      onClick={() => apply(wrapWith(mark))}
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
          onClick={() => apply(insertText(emoji))}
        >
          {emoji}
        </button>
      ))}
    </div>
  )
}
