import type { IaConfig } from '@balcao/contract/entities/config'
import { X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

interface GatilhosProps {
  readonly gatilhos: readonly string[]
  readonly mudar: (campos: Partial<IaConfig>) => void
}

/** The words that call the assistant. Enter or a comma adds one; repeated ones are one. */
export function Gatilhos({ gatilhos, mudar }: GatilhosProps) {
  const [novo, setNovo] = useState('')
  const adicionar = (): void => {
    const palavras = novo
      .split(',')
      .map((palavra) => palavra.trim())
      .filter((palavra) => palavra !== '')
    setNovo('')
    if (palavras.length > 0) mudar({ gatilhos: [...new Set([...gatilhos, ...palavras])] })
  }
  return (
    <Card titulo="Palavras que acionam a IA">
      {gatilhos.length === 0 && <p className="mb-3 text-muted">Nenhuma palavra ainda. Adicione a primeira abaixo.</p>}
      <ul className="mb-4 flex flex-wrap gap-2">
        {gatilhos.map((gatilho) => (
          <li
            key={gatilho}
            className="flex max-w-full items-center rounded-full bg-info-soft pl-4 text-sm font-semibold text-info-ink"
          >
            <span className="min-w-0 break-words">{gatilho}</span>
            <button
              type="button"
              aria-label={`Remover ${gatilho}`}
              className="grid size-11 flex-none place-items-center rounded-full"
              onClick={() => mudar({ gatilhos: gatilhos.filter((outro) => outro !== gatilho) })}
            >
              <X size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <form
        className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
        onSubmit={(evento) => {
          evento.preventDefault()
          adicionar()
        }}
      >
        <TextField
          rotulo="Nova palavra ou frase"
          value={novo}
          maxLength={100}
          className="min-h-11"
          onChange={({ currentTarget }) => setNovo(currentTarget.value)}
          onKeyDown={(evento) => {
            if (evento.key !== ',') return
            evento.preventDefault()
            adicionar()
          }}
        />
        <Button type="submit" className="min-h-11">
          Adicionar
        </Button>
      </form>
    </Card>
  )
}
