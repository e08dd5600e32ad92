import { Save } from 'lucide-react'
import { useLeaveGuard } from '#shared/hooks/use-leave-guard.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { CopyField } from '#shared/ui/copy-field.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notify } from '#shared/avisos.ts'
import type { Oficial, OficialInput } from '@balcao/contract/entities/oficial'
import { oficialDaLinhaRoute, salvarOficialDaLinhaRoute } from '@balcao/contract/routes/linhas-sessao'
import { oficialRoute, salvarOficialRoute } from '@balcao/contract/routes/oficial'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'
import { apiKeyError } from './use-geral-form.ts'

const ID_FIELDS = [
  {
    campo: 'telefoneId',
    rotulo: 'Identificação do número de telefone',
    dica: 'No painel da Meta, em WhatsApp → Configuração da API.',
  },
  {
    campo: 'contaWhatsappId',
    rotulo: 'Identificação da conta do WhatsApp Business',
    dica: 'Fica ao lado da identificação do número.',
  },
] as const
const SECRET_FIELDS = [
  {
    campo: 'token',
    rotulo: 'Token de acesso',
    dica: 'De um usuário do sistema, sem prazo, com as permissões de mensagens e de gerenciamento do WhatsApp.',
  },
  {
    campo: 'segredo',
    rotulo: 'Chave secreta do aplicativo',
    dica: 'Em Configurações do app → Básico. Sem ela nenhuma mensagem é recebida.',
  },
] as const

function OficialFields({ form }: { form: OficialFormState }) {
  const { values, stored, errors, change } = form
  const common = { autoComplete: 'off', spellCheck: false } as const
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {ID_FIELDS.map(({ campo, rotulo, dica }) => (
        <TextField
          key={campo}
          {...common}
          {...{ label: rotulo, hint: dica }}
          name={campo}
          value={values[campo]}
          error={errors[campo]}
          inputMode="numeric"
          maxLength={30}
          onChange={({ currentTarget }) => change({ [campo]: currentTarget.value })}
        />
      ))}
      {SECRET_FIELDS.map(({ campo, rotulo, dica }) => (
        <PasswordField
          key={campo}
          {...common}
          {...{ label: rotulo, hint: dica }}
          name={campo}
          value={values[campo]}
          error={errors[campo]}
          maxLength={1024}
          onChange={({ currentTarget }) => change({ [campo]: currentTarget.value })}
          onFocus={({ currentTarget }) => {
            if (currentTarget.value !== '' && currentTarget.value === stored[campo]) currentTarget.select()
          }}
        />
      ))}
    </div>
  )
}

type OficialFormState = ReturnType<typeof useOficialForm>

const UNSAVED = 'Os dados da API oficial ainda não foram salvos.'

/** Of the main line. */
export function OficialApi() {
  const form = useOficialForm()
  const guard = useUnsavedGuard(form.changed)
  if (form.query.isPending) return <OficialSkeleton className="card p-4 sm:p-5" />
  return (
    <section aria-labelledby="api-oficial" className="card p-4 sm:p-5">
      <OficialContent form={form} />
      <LeaveUnsavedDialog guard={guard}>{UNSAVED}</LeaveUnsavedDialog>
    </section>
  )
}

interface OficialDialogProps {
  readonly linhaId: string
  readonly onClose: () => void
}

export function OficialDialog({ linhaId, onClose }: OficialDialogProps) {
  const form = useOficialForm(linhaId)
  const { changed, saving } = form
  const { tryClose, question } = useLeaveGuard(changed, saving, onClose)
  return (
    <>
      <Dialog open width="lg" title="Dados da linha" hold={changed || saving} onClose={tryClose}>
        {form.query.isPending ? <OficialSkeleton className="" /> : <OficialContent form={form} />}
      </Dialog>
      <LeaveUnsavedDialog guard={question}>{UNSAVED}</LeaveUnsavedDialog>
    </>
  )
}

function OficialSkeleton({ className }: { readonly className: string }) {
  return (
    <div role="status" aria-label="Carregando a API oficial" className={`grid gap-3 ${className}`}>
      <Skeleton className="h-6 w-64" />
      <Skeleton className="h-32 w-full" />
    </div>
  )
}

function OficialContent({ form }: { readonly form: OficialFormState }) {
  const { query, base, changed, saving, save } = form
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id="api-oficial" className="text-lg font-bold">
            API oficial do WhatsApp
          </h2>
          {query.data !== undefined && (
            <Button
              variant="primary"
              type="submit"
              className="max-sm:w-full"
              busy={saving}
              disabled={!changed && !saving}
            >
              {!saving && <Save aria-hidden className="size-4" />} {saving ? 'Salvando…' : 'Salvar API oficial'}
            </Button>
          )}
        </div>
        {query.data === undefined ? (
          <p role="alert" className="flex flex-wrap items-center gap-3 text-sm">
            <span>{query.error?.message}</span>
            <Button size="sm" onClick={() => void query.refetch()}>
              Tentar de novo
            </Button>
          </p>
        ) : (
          <OficialFields form={form} />
        )}
      </form>
      {base.webhook !== undefined && <OficialWebhook {...base.webhook} />}
    </>
  )
}

function OficialWebhook({ url, verificacao }: { url: string; verificacao: string }) {
  return (
    <div className="mt-4 grid gap-3 rounded-[10px] bg-sunken p-3 sm:p-4">
      <p className="text-sm">
        <b>Diga à Meta onde entregar as mensagens.</b> No painel do seu aplicativo, em WhatsApp → Configuração, cole
        estes dois dados e assine o campo <b>messages</b>.
      </p>
      <CopyField label="URL de retorno de chamada" value={url} />
      <CopyField label="Token de verificação" value={verificacao} />
      {!url.startsWith('https:') && (
        <p className="text-sm font-semibold text-warn-ink">
          A Meta só aceita endereços https que ela alcance pela internet. Peça a quem cuida do servidor que configure o
          endereço público.
        </p>
      )}
    </div>
  )
}

const QUERY_KEY = ['whatsapp-oficial'] as const
const FIELDS = ['telefoneId', 'contaWhatsappId', 'token', 'segredo'] as const

const EMPTY_OFICIAL: Oficial = { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }

function inputOf({ telefoneId, contaWhatsappId, token, segredo }: Oficial): OficialInput {
  return { telefoneId, contaWhatsappId, token, segredo }
}

function checkForm(values: OficialInput, stored: OficialInput): FormErrors {
  const errors: Record<string, string> = {}
  for (const field of ['telefoneId', 'contaWhatsappId'] as const) {
    if (/\D/.test(values[field].trim())) errors[field] = 'Use só os números da identificação que a Meta mostra'
  }
  for (const field of ['token', 'segredo'] as const) {
    const missing = apiKeyError(values[field], stored[field])
    if (missing !== undefined) errors[field] = missing
  }
  return errors
}

function serverErrorsOf(error: unknown): FormErrors {
  const details = error instanceof ApiError ? (error.dados.detalhes ?? []) : []
  const known = details.filter(({ caminho }) => FIELDS.some((field) => field === caminho))
  return Object.fromEntries(known.map(({ caminho, mensagem }) => [caminho, mensagem]))
}

async function readOficial(linhaId: string | undefined, signal: AbortSignal): Promise<Oficial> {
  const { oficial } =
    linhaId === undefined
      ? await call(oficialRoute, { signal })
      : await call(oficialDaLinhaRoute, { params: { id: linhaId }, signal })
  return oficial
}

async function sendOficial(linhaId: string | undefined, body: OficialInput): Promise<Oficial> {
  const { oficial } =
    linhaId === undefined
      ? await call(salvarOficialRoute, { body })
      : await call(salvarOficialDaLinhaRoute, { params: { id: linhaId }, body })
  return oficial
}

/** Without `linhaId`: of the main line. */
function useOficialForm(linhaId?: string) {
  const queryKey = linhaId === undefined ? QUERY_KEY : [...QUERY_KEY, linhaId]
  const client = useQueryClient()
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => readOficial(linhaId, signal),
  })
  const form = useConfigForm({
    loaded: query.data ?? EMPTY_OFICIAL,
    valuesOf: inputOf,
    send: async (_base, body) => {
      const oficial = await sendOficial(linhaId, body)
      client.setQueryData(queryKey, oficial)
      return oficial
    },
  })

  async function write(): Promise<void> {
    const outcome = await form.save()
    if (outcome.tipo === 'salva') return void notify.sucesso('API oficial salva! Inicie o bot para usar.')
    form.setErrors(serverErrorsOf(outcome.error))
    notify.erro(`Erro ao salvar a API oficial: ${errorMessage(outcome.error)}`)
  }

  return {
    ...form,
    query,
    save: (): void => {
      const missing = checkForm(form.values, form.stored)
      form.setErrors(missing)
      const first = FIELDS.find((field) => missing[field] !== undefined)
      if (first === undefined) void write()
      else document.getElementsByName(first)[0]?.focus()
    },
  }
}
