import { type ClipboardEvent, useEffect, useRef } from 'react'
import { TextField } from './text-field.tsx'

export const CODE_LENGTH = 6

export interface CodeFieldProps {
  readonly value: string
  readonly onChange: (code: string) => void
  readonly onComplete: (code: string) => void
  readonly error?: string | undefined
  readonly focused?: boolean
  readonly disabled?: boolean
}

/** Six digits of an authenticator app. Apps show and copy them in groups, so all other characters are dropped. */
export function CodeField({ value, onChange, onComplete, error, focused = false, disabled = false }: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!focused || disabled) return
    // A dialog that opens around the field focuses what has the attribute.
    field.current?.toggleAttribute('autofocus', true)
    field.current?.focus()
  }, [focused, disabled, error])
  const write = (text: string): void => {
    const code = text.replace(/\D/g, '').slice(0, CODE_LENGTH)
    onChange(code)
    if (code.length === CODE_LENGTH && code !== value) onComplete(code)
  }
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault()
    write(event.clipboardData.getData('text'))
  }
  return (
    <TextField
      ref={field}
      label="Código de 6 números"
      name="codigo"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      readOnly={disabled}
      value={value}
      error={error}
      className="min-h-12 text-center font-mono text-xl tracking-[0.35em] tabular-nums"
      onPaste={paste}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  )
}
