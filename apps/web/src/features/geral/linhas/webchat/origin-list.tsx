import { ORIGENS_MAXIMO } from '@balcao/contract/entities/webchat'
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { FieldError } from '#shared/ui/field.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { originOf } from './use-webchat.ts'

interface OriginListProps {
  readonly origens: readonly string[]
  readonly error: string | undefined
  readonly onChange: (origens: string[]) => void
}

/** The sites in which the chat opens. */
export function OriginList({ origens, error, onChange }: OriginListProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-bold">Sites em que o chat abre</legend>
      {origens.length === 0 ? (
        <p className="rounded-[10px] bg-warn-soft p-3 text-sm text-warn-ink">
          Nenhum site ainda: o chat não abre em lugar nenhum até você adicionar o endereço do seu.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-[10px] border border-line">
          {origens.map((origem) => (
            <li key={origem} className="flex min-h-11 items-center gap-2 pl-3">
              <span className="min-w-0 flex-1 py-1 text-sm font-semibold break-words">{origem}</span>
              <IconButton
                label={`Remover ${origem}`}
                tooltip={false}
                size="touch"
                icon={<X aria-hidden size={18} />}
                onClick={() => onChange(origens.filter((other) => other !== origem))}
              />
            </li>
          ))}
        </ul>
      )}
      <FieldError id="origens-erro" error={error} />
      {origens.length < ORIGENS_MAXIMO ? (
        <NewOrigin origens={origens} onChange={onChange} />
      ) : (
        <p className="text-sm text-muted">O chat aceita até {ORIGENS_MAXIMO} sites.</p>
      )}
    </fieldset>
  )
}

function NewOrigin({ origens, onChange }: Pick<OriginListProps, 'origens' | 'onChange'>) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  function add(): void {
    const origem = originOf(typed)
    field.current?.focus()
    if (origem === null) return setError('Escreva o endereço do site, como https://www.sualoja.com.br')
    if (origens.includes(origem)) return setError('Este site já está na lista')
    setTyped('')
    onChange([...origens, origem])
  }
  function addOnEnter(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    // Enter would save the form.
    event.preventDefault()
    add()
  }
  return (
    <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
      <TextField
        ref={field}
        label="Endereço do site"
        hint="Com e sem “www” são dois endereços: adicione os dois se o seu site usa ambos."
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={300}
        placeholder="https://www.sualoja.com.br"
        value={typed}
        error={error}
        onKeyDown={addOnEnter}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setError(undefined)
        }}
      />
      <Button className="sm:mt-[1.55rem] sm:self-start" onClick={add}>
        <Plus aria-hidden className="size-4" /> Adicionar site
      </Button>
    </div>
  )
}
