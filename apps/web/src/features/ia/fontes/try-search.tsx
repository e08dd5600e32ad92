import type { Trecho } from '@balcao/contract/entities/fonte'
import { buscarTrechosRoute } from '@balcao/contract/routes/ia-fontes'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { TrechoText } from './trecho-text.tsx'

interface Found {
  readonly pergunta: string
  readonly trechos: readonly Trecho[]
}

/** Shows what the assistant would read for a question of a customer. No model answers it. */
export function TrySearch() {
  const [pergunta, setPergunta] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  const search = async (): Promise<void> => {
    const asked = pergunta.trim()
    if (busy || asked === '') return
    setBusy(true)
    setError(null)
    try {
      setFound({ pergunta: asked, trechos: (await call(buscarTrechosRoute, { body: { pergunta: asked } })).trechos })
    } catch (failure) {
      setError(errorMessage(failure))
    }
    setBusy(false)
  }
  return (
    <Card heading="Experimentar" className="min-w-0 lg:sticky lg:top-20">
      <p className="-mt-2 mb-3 text-sm text-muted">
        Pergunte como um cliente. Aparece o que a IA lê antes de responder.
      </p>
      <form
        role="search"
        className="grid gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void search()
        }}
      >
        <TextField
          label="Pergunta do cliente"
          name="perguntaFontes"
          autoComplete="off"
          maxLength={4096}
          className="min-h-11"
          placeholder="Vocês trocam produto?"
          value={pergunta}
          onChange={({ currentTarget }) => setPergunta(currentTarget.value)}
        />
        <Button type="submit" className="min-h-11" busy={busy}>
          <Search size={16} aria-hidden /> {busy ? 'Procurando…' : 'Procurar'}
        </Button>
      </form>
      <div aria-live="polite" className="mt-3 grid gap-2 empty:hidden">
        {error !== null && <Notice tone="erro" title={error} />}
        {error === null && found !== null && <FoundTrechos {...found} />}
      </div>
    </Card>
  )
}

function FoundTrechos({ pergunta, trechos }: Found) {
  if (trechos.length === 0) {
    return (
      <p className="text-sm text-muted">
        Nada nas fontes fala de “{pergunta}”. A IA diria que não sabe. Crie uma fonte com a resposta.
      </p>
    )
  }
  return (
    <ol aria-label="Trechos encontrados" className="grid max-h-112 gap-2 overflow-y-auto">
      {trechos.map(({ fonteId, titulo, pagina, trecho }, index) => (
        <li key={`${fonteId} ${index}`} className="rounded-card border p-3">
          <TrechoText place={pagina === undefined ? titulo : `${titulo}, página ${pagina}`} text={trecho} />
        </li>
      ))}
    </ol>
  )
}
