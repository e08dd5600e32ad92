import type { Contato } from '@balcao/contract/entities/contato'
import { contatosRoute } from '@balcao/contract/routes/contatos'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { customerContact } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

const PAUSE_MS = 300
const RESULTS_MAX = 6
const NONE: readonly Contato[] = []

export function useContatoSearch(written: string) {
  const [busca, setBusca] = useState('')
  useEffect(() => {
    const wait = setTimeout(() => setBusca(written.trim()), PAUSE_MS)
    return () => clearTimeout(wait)
  }, [written])
  const { data = [], isError } = useQuery({
    queryKey: ['contatos', 'escolha', busca],
    queryFn: ({ signal }) => call(contatosRoute, { query: { busca, limite: RESULTS_MAX }, signal }),
    select: ({ contatos }) => contatos,
    enabled: busca.length > 1,
    placeholderData: keepPreviousData,
  })
  return { found: written.trim().length > 1 ? data : NONE, failed: isError }
}

export interface ContatoChoiceProps {
  readonly written: string
  readonly chosen: Contato | null
  readonly found: readonly Contato[]
  readonly failed: boolean
  readonly error: string | undefined
  readonly onWrite: (text: string) => void
  readonly onChoose: (contato: Contato | null) => void
}

export function ContatoChoice({ written, chosen, found, failed, error, onWrite, onChoose }: ContatoChoiceProps) {
  if (chosen !== null) {
    return (
      <div className="flex items-center justify-between gap-3 rounded-xl border px-3 py-2">
        <ContatoName contato={chosen} />
        <Button onClick={() => onChoose(null)}>Trocar</Button>
      </div>
    )
  }
  return (
    <div className="grid gap-2">
      <TextField
        label="Contato ou telefone"
        ref={initialFocus}
        placeholder="Nome, ou número com DDD"
        autoComplete="off"
        maxLength={40}
        value={written}
        error={error}
        hint={failed ? 'A busca de contatos não respondeu. Digite o número com DDD.' : undefined}
        onChange={({ currentTarget }) => onWrite(currentTarget.value)}
      />
      {found.length > 0 && (
        <ul aria-label="Contatos encontrados" className="grid gap-1">
          {found.map((contato) => (
            <li key={contato.id}>
              <button
                type="button"
                className="flex min-h-11 w-full items-center gap-3 rounded-xl border px-3 py-1 text-left hover:bg-sunken"
                onClick={() => onChoose(contato)}
              >
                <UserRound size={18} aria-hidden className="flex-none text-muted" />
                <ContatoName contato={contato} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ContatoName({ contato }: { contato: Contato }) {
  const contact = customerContact(contato)
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-semibold">{contato.nome === '' ? contact : contato.nome}</span>
      {contato.nome !== '' && contact !== '' && <span className="block truncate text-sm text-muted">{contact}</span>}
    </span>
  )
}
