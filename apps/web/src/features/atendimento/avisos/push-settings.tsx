import type { PreferenciasPush } from '@balcao/contract/entities/push'
import { preferenciasPushRoute, salvarPreferenciasPushRoute, testarPushRoute } from '@balcao/contract/routes/push'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { disablePush, enablePush, isPushOn, isRefusal, pushSupport } from './push-subscription.ts'

const STATE_KEY = ['push', 'aparelho']
const PREFERENCES_KEY = ['push', 'preferencias']

const KINDS: readonly { readonly kind: keyof PreferenciasPush; readonly label: string; readonly hint?: string }[] = [
  { kind: 'filaDosMeusSetores', label: 'Cliente esperando nos meus setores' },
  { kind: 'minhasConversas', label: 'Mensagem nas minhas conversas' },
  { kind: 'mencoes', label: 'Menções em notas' },
  { kind: 'botDesconectado', label: 'Bot desconectado' },
  { kind: 'mostrarNome', label: 'Mostrar o nome do cliente', hint: 'O nome aparece também com a tela bloqueada.' },
]

const UNSUPPORTED = {
  install:
    'No iPhone e no iPad com iOS 16.4 ou mais novo, primeiro adicione o painel à Tela de Início (Compartilhar → Adicionar à Tela de Início). Depois abra o painel por lá e ligue os avisos aqui.',
  unsupported: 'Este navegador não recebe avisos com o painel fechado. Use o Chrome, o Edge ou o Firefox.',
} as const

const NOT_ALLOWED = 'O navegador não permitiu os avisos. Libere no cadeado ao lado do endereço e ligue de novo.'
const NOT_CHANGED = 'Não foi possível mudar os avisos deste aparelho. Tente de novo.'

/** In the dialog, because a notice of the page would be behind it. */
function Failure({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <p role="alert" className="text-sm font-semibold text-danger-ink">
      {text}
    </p>
  )
}

const failureOf = ({ error }: { error: Error | null }): string | null => (error === null ? null : errorMessage(error))

export function PushSettings() {
  const support = pushSupport()
  return (
    <section aria-label="Com o painel fechado" className="grid gap-3 border-t pt-4">
      {support === 'supported' ? <DeviceSwitch /> : <p className="text-sm text-muted">{UNSUPPORTED[support]}</p>}
    </section>
  )
}

function DeviceSwitch() {
  const { id } = useUsuario()
  const client = useQueryClient()
  const [failure, setFailure] = useState<string | null>(null)
  const state = useQuery({ queryKey: STATE_KEY, queryFn: () => isPushOn(id), networkMode: 'always' })
  const change = useMutation({
    networkMode: 'always',
    mutationFn: async (on: boolean) => {
      setFailure(null)
      if (!on) return disablePush()
      if (!(await enablePush(id))) setFailure(NOT_ALLOWED)
    },
    onError: (error) => setFailure(isRefusal(error) ? error.message : NOT_CHANGED),
    onSettled: () => client.invalidateQueries({ queryKey: STATE_KEY }),
  })
  const on = state.data === true
  return (
    <>
      <Switch
        label="Avisar com o painel fechado"
        hint="Chega neste aparelho. Não mostra o que o cliente escreveu."
        on={change.isPending ? change.variables : on}
        disabled={state.isPending || change.isPending}
        onChange={(wanted) => change.mutate(wanted)}
      />
      <Failure text={failure} />
      {on && <Kinds />}
      {on && <TestButton />}
    </>
  )
}

function Kinds() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: PREFERENCES_KEY,
    queryFn: ({ signal }) => call(preferenciasPushRoute, { signal }),
    networkMode: 'always',
  })
  const save = useMutation({
    networkMode: 'always',
    mutationFn: (body: Partial<PreferenciasPush>) => call(salvarPreferenciasPushRoute, { body }),
    onSuccess: (saved) => client.setQueryData(PREFERENCES_KEY, saved),
  })
  if (error !== null && data === undefined) return <ErrorState message={error.message} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-32 w-full" />
  return (
    <div className="grid gap-3">
      {KINDS.map(({ kind, label, hint }) => (
        <Switch
          key={kind}
          label={label}
          {...(hint === undefined ? {} : { hint })}
          on={save.isPending ? (save.variables[kind] ?? data[kind]) : data[kind]}
          disabled={save.isPending}
          onChange={(wanted) => save.mutate({ [kind]: wanted })}
        />
      ))}
      <Failure text={failureOf(save)} />
    </div>
  )
}

function TestButton() {
  const test = useMutation({ networkMode: 'always', mutationFn: () => call(testarPushRoute, {}) })
  return (
    <>
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        <Smartphone size={16} aria-hidden /> Enviar aviso de teste
      </Button>
      <Failure text={failureOf(test)} />
      <p role="status" className="text-sm text-muted empty:hidden">
        {test.isSuccess && 'Aviso enviado. Ele chega em alguns segundos.'}
      </p>
    </>
  )
}
