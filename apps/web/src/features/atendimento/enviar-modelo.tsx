import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import { enviarModeloRoute, modelosOficiaisRoute } from '@balcao/contract/routes/modelos-oficiais'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { naVez } from './fila-de-envio.ts'

const LACUNA = /\{\{\s*([\w-]+)\s*\}\}/g

const rotuloDe = (lacuna: string): string => (/^\d+$/.test(lacuna) ? `Dado ${lacuna}` : lacuna.replaceAll('_', ' '))

function previa({ texto }: ModeloOficial, valores: Readonly<Record<string, string>>): string {
  return texto.replace(LACUNA, (_, lacuna: string) => valores[lacuna]?.trim() || `[${rotuloDe(lacuna)}]`)
}

function Lista({
  modelos,
  onEscolher,
}: {
  modelos: readonly ModeloOficial[]
  onEscolher: (um: ModeloOficial) => void
}) {
  if (modelos.length === 0) {
    return (
      <EmptyState titulo="Nenhum modelo aprovado">
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
            onClick={() => onEscolher(modelo)}
            className="block min-h-12 w-full rounded-xl border px-3 py-2 text-left hover:bg-sunken"
          >
            <span className="block font-semibold break-words">
              {modelo.nome.replaceAll('_', ' ')} <span className="font-normal text-muted">({modelo.idioma})</span>
            </span>
            <span className="line-clamp-2 text-sm text-muted">{previa(modelo, {})}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface PreencherProps {
  readonly conversaId: string
  readonly modelo: ModeloOficial
  readonly onVoltar: () => void
  readonly onEnviado: () => void
}

function Preencher({ conversaId, modelo, onVoltar, onEnviado }: PreencherProps) {
  const [valores, setValores] = useState<Readonly<Record<string, string>>>({})
  // A retry of the same text keeps the id, so a lost response causes no duplicate. A changed text gets a new id.
  const [idTemporario, setIdTemporario] = useState(() => crypto.randomUUID())
  const { nome, idioma, lacunas } = modelo
  const completo = lacunas.every((lacuna) => (valores[lacuna]?.trim() ?? '') !== '')
  const [enviando, setEnviando] = useState(false)

  async function enviar(): Promise<void> {
    setEnviando(true)
    try {
      const body = { nome, idioma, idTemporario, valores: lacunas.map((lacuna) => valores[lacuna] ?? '') }
      await naVez(conversaId, async () => {
        await call(enviarModeloRoute, { params: { id: conversaId }, body })
      })
      avisar.sucesso('Modelo enviado! Quando o cliente responder, a conversa segue normalmente.')
      onEnviado()
    } catch (erro) {
      avisar.erro(`Erro ao enviar modelo: ${mensagemDe(erro)}`)
      setEnviando(false)
    }
  }

  return (
    <form
      className="grid gap-4"
      onSubmit={(evento) => {
        evento.preventDefault()
        if (completo && !enviando) void enviar()
      }}
    >
      {lacunas.map((lacuna) => (
        <TextField
          key={lacuna}
          rotulo={rotuloDe(lacuna)}
          value={valores[lacuna] ?? ''}
          maxLength={1000}
          onChange={({ currentTarget: { value } }) => {
            setValores((atuais) => ({ ...atuais, [lacuna]: value }))
            setIdTemporario(crypto.randomUUID())
          }}
        />
      ))}
      <div>
        <h3 className="text-sm text-muted">O cliente vai ler</h3>
        <p className="mt-1 rounded-xl bg-sunken p-3 break-words whitespace-pre-wrap">{previa(modelo, valores)}</p>
      </div>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variante="ghost" onClick={onVoltar}>
          <ArrowLeft aria-hidden className="size-4" /> Outro modelo
        </Button>
        <Button variante="primary" type="submit" ocupado={enviando} disabled={!completo}>
          {enviando ? 'Enviando…' : 'Enviar modelo'}
        </Button>
      </div>
    </form>
  )
}

export function EnviarModelo({ conversaId, onFechar }: { conversaId: string; onFechar: () => void }) {
  const [escolhido, setEscolhido] = useState<ModeloOficial | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['atendimento', 'modelos-oficiais'],
    queryFn: async ({ signal }) => (await call(modelosOficiaisRoute, { signal })).modelos,
  })
  return (
    <Dialog aberto titulo="Enviar modelo de mensagem" onFechar={onFechar}>
      {escolhido !== null ? (
        <Preencher {...{ conversaId, modelo: escolhido }} onVoltar={() => setEscolhido(null)} onEnviado={onFechar} />
      ) : data !== undefined ? (
        <Lista modelos={data} onEscolher={setEscolhido} />
      ) : error === null ? (
        <div role="status" aria-label="Carregando os modelos de mensagem" className="grid gap-2">
          <Skeleton className="h-14 w-full" />
          <Skeleton className="h-14 w-full" />
        </div>
      ) : (
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      )}
    </Dialog>
  )
}
