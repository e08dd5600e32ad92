import { EMOJIS } from '@balcao/contract/presets/editor-presets'
import clsx from 'clsx'
import { Bold, Italic, Strikethrough } from 'lucide-react'
import { useId, useRef, type ReactNode } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Counter } from '#shared/ui/counter.tsx'
import { wrapSelection, insertText } from '#features/mensagens/menu/menu-draft.ts'

const MARKS = [
  { marca: '*', rotulo: 'Negrito', icone: <Bold size={16} aria-hidden /> },
  { marca: '_', rotulo: 'Itálico', icone: <Italic size={16} aria-hidden /> },
  { marca: '~', rotulo: 'Riscado', icone: <Strikethrough size={16} aria-hidden /> },
] as const

export interface TextEditorProps {
  readonly label: string
  readonly value: string
  readonly counter: number
  readonly editing: boolean
  readonly onChange: (valor: string) => void
  readonly rows?: number
  readonly withEmojis?: boolean
  readonly hint?: ReactNode
}

export function TextEditor({
  label: rotulo,
  value: valor,
  counter,
  editing,
  onChange: onMudar,
  rows: lines = 3,
  withEmojis = false,
  hint,
}: TextEditorProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const apply = (change: (text: string, start: number, fim: number) => { texto: string; cursor: number }): void => {
    const field = area.current
    if (field === null) return
    const { texto, cursor } = change(field.value, field.selectionStart, field.selectionEnd)
    onMudar(texto)
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
          {rotulo}
        </label>
        <span className="flex items-center gap-1">
          {editing &&
            MARKS.map(({ marca, rotulo: name, icone }) => (
              <IconButton
                key={marca}
                label={`${name} em ${rotulo}`}
                tooltip={false}
                icon={icone}
                className="!min-h-8 !w-8"
                onClick={() => apply((text, start, fim) => wrapSelection(text, start, fim, marca))}
              />
            ))}
          <Counter usado={valor.length} total={counter} />
        </span>
      </div>
      {editing && withEmojis && (
        <div role="group" aria-label="Emojis" className="-mx-1 mb-1 grid grid-cols-10 @xl:grid-cols-20">
          {EMOJIS.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={`Inserir ${emoji}`}
              className="grid h-9 place-items-center rounded-lg text-lg hover:bg-sunken"
              onClick={() => apply((text, start, fim) => insertText(text, start, fim, emoji))}
            >
              {emoji}
            </button>
          ))}
        </div>
      )}
      <textarea
        ref={area}
        id={id}
        rows={lines}
        value={valor}
        readOnly={!editing}
        // Read-only text grows with its content. Browsers without `field-sizing` scroll.
        className={clsx(
          'field field-sizing-content',
          editing
            ? `max-h-80 resize-y ${lines > 3 ? 'min-h-28' : 'min-h-17'}`
            : '!min-h-0 resize-none !border-transparent !bg-sunken',
        )}
        aria-describedby={hint === undefined ? undefined : `${id}-dica`}
        onChange={({ currentTarget }) => onMudar(currentTarget.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-dica`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
