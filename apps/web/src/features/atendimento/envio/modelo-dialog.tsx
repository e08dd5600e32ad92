import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import { enviarModeloRoute, modelosOficiaisRoute } from '@balcao/contract/routes/modelos-oficiais'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { sendScope } from './use-send.ts'

const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g

const placeholderLabel = (gap: string): string => (/^\d+$/.test(gap) ? `Dado ${gap}` : gap.replaceAll('_', ' '))

function previewText({ texto }: ModeloOficial, values: Readonly<Record<string, string>>): string {
  return texto.replace(PLACEHOLDER, (_, gap: string) => values[gap]?.trim() || `[${placeholderLabel(gap)}]`)
}

interface ModeloListProps {
  readonly modelos: readonly ModeloOficial[]
  readonly onChoose: (modelo: ModeloOficial) => void
}

function ModeloList({ modelos, onChoose }: ModeloListProps) {
  if (modelos.length === 0) {
    return (
      <EmptyState title="Nenhum modelo aprovado">
        Crie modelos de mensagem no Gerenciador do WhatsApp, da Meta. Os que forem só de texto aparecem aqui depois de
        aprovados.
      </EmptyState>
    )
  }
  return (
    <ul className="grid gap-1.5">
      {modelos.map((modelo) => (
        <li key={`${modelo.nome} ${modelo.idioma}`}>
          <button
            type="button"
            onClick={() => onChoose(modelo)}
            className="block min-h-12 w-full rounded-xl border px-3 py-2 text-left hover:bg-sunken"
          >
            <span className="block font-semibold break-words">
              {modelo.nome.replaceAll('_', ' ')} <span className="font-normal text-muted">({modelo.idioma})</span>
            </span>
            <span className="line-clamp-2 text-sm text-muted">{previewText(modelo, {})}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface FillModeloProps {
  readonly conversaId: string
  readonly modelo: ModeloOficial
  readonly onBack: () => void
  readonly onSent: () => void
}

function FillModelo({ conversaId, modelo, onBack, onSent }: FillModeloProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  // A retry of the same text keeps the id, so a lost response causes no duplicate. A changed text gets a new id.
  const [idTemporario, setIdTemporario] = useState(() => crypto.randomUUID())
  const { nome, idioma, lacunas } = modelo
  const complete = lacunas.every((gap) => (values[gap]?.trim() ?? '') !== '')
  const { mutate, isPending } = useMutation({
    scope: sendScope(conversaId),
    networkMode: 'always',
    mutationFn: () => {
      const body = { nome, idioma, idTemporario, valores: lacunas.map((gap) => values[gap] ?? '') }
      return call(enviarModeloRoute, { params: { id: conversaId }, body })
    },
    onSuccess: () => {
      notify.sucesso('Modelo enviado! Quando o cliente responder, a conversa segue normalmente.')
      onSent()
    },
    onError: (error) => notify.erro(`Erro ao enviar modelo: ${errorMessage(error)}`),
  })

  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (complete && !isPending) mutate()
      }}
    >
      {lacunas.map((gap) => (
        <TextField
          key={gap}
          label={placeholderLabel(gap)}
          value={values[gap] ?? ''}
          maxLength={1000}
          onChange={({ currentTarget: { value } }) => {
            setValues((current) => ({ ...current, [gap]: value }))
            setIdTemporario(crypto.randomUUID())
          }}
        />
      ))}
      <div>
        <h3 className="text-sm text-muted">O cliente vai ler</h3>
        <p className="mt-1 rounded-xl bg-sunken p-3 break-words whitespace-pre-wrap">{previewText(modelo, values)}</p>
      </div>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" onClick={onBack}>
          <ArrowLeft aria-hidden className="size-4" /> Outro modelo
        </Button>
        <Button variant="primary" type="submit" busy={isPending} disabled={!complete}>
          {isPending ? 'Enviando…' : 'Enviar modelo'}
        </Button>
      </div>
    </form>
  )
}

export function ModeloDialog({ conversaId, onClose }: { conversaId: string; onClose: () => void }) {
  const [chosen, setChosen] = useState<ModeloOficial | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['atendimento', 'modelos-oficiais'],
    queryFn: async ({ signal }) => (await call(modelosOficiaisRoute, { signal })).modelos,
  })
  return (
    <Dialog open title="Enviar modelo de mensagem" onClose={onClose}>
      {chosen !== null ? (
        <FillModelo {...{ conversaId, modelo: chosen }} onBack={() => setChosen(null)} onSent={onClose} />
      ) : data !== undefined ? (
        <ModeloList modelos={data} onChoose={setChosen} />
      ) : error === null ? (
        <div role="status" aria-label="Carregando os modelos de mensagem" className="grid gap-2">
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-14 w-full" />
        </div>
      ) : (
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      )}
    </Dialog>
  )
}
