import { Pencil } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { Field } from '#shared/ui/field.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'

interface InlineEditProps {
  readonly label: string
  readonly editLabel: string
  readonly value: string
  readonly maxLength: number
  readonly multiline?: boolean
  readonly onSave: (text: string) => Promise<unknown>
  /** The text while it is not edited. */
  readonly children: ReactNode
}

const focus = (field: HTMLElement | null): void => field?.focus()

function useInlineEdit({ value, onSave }: InlineEditProps) {
  const [text, setText] = useState<string | null>(null)
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const left = useRef(false)
  const change = (fresh: string): void => {
    setText(fresh)
    setError(undefined)
  }
  const close = (): void => {
    setText(null)
    setError(undefined)
    left.current = true
  }
  useEffect(() => {
    if (text !== null || !left.current) return
    left.current = false
    button.current?.focus()
  }, [text])
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy || text === null) return
    setBusy(true)
    try {
      if (text.trim() !== value) await onSave(text.trim())
      close()
    } catch (cause) {
      setError(errorMessage(cause))
    }
    setBusy(false)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    // The dialog around it stays open.
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return { text, error, busy, button, open: () => change(value), change, close, save, onKeyDown }
}

/** A text that a person changes where it stands. */
export function InlineEdit(props: InlineEditProps) {
  const { label, editLabel, maxLength, multiline = false, children } = props
  const { text, error, busy, button, open, change, close, save, onKeyDown } = useInlineEdit(props)
  if (text === null) {
    return (
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">{children}</div>
        <IconButton ref={button} label={editLabel} icon={<Pencil size={16} aria-hidden />} onClick={open} />
      </div>
    )
  }
  const attributes = { ref: focus, value: text, maxLength, onKeyDown }
  return (
    <form noValidate className="grid gap-2" onSubmit={(event) => void save(event)}>
      <Field label={label} hideLabel error={error}>
        {(link) =>
          multiline ? (
            <textarea
              {...link}
              {...attributes}
              rows={4}
              className="field"
              onChange={({ currentTarget }) => change(currentTarget.value)}
            />
          ) : (
            <input
              {...link}
              {...attributes}
              autoComplete="off"
              className="field"
              onChange={({ currentTarget }) => change(currentTarget.value)}
            />
          )
        }
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={busy}>
          Salvar
        </Button>
        <Button size="sm" onClick={close}>
          Cancelar
        </Button>
      </div>
    </form>
  )
}
