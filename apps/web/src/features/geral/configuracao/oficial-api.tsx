import { Save, Copy } from 'lucide-react'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notify } from '#shared/avisos.ts'
import type { Oficial, OficialInput } from '@balcao/contract/entities/oficial'
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

function OficialFields({ form }: { form: ReturnType<typeof useOficialForm> }) {
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

export function OficialApi() {
  const form = useOficialForm()
  const { query, base, changed, saving, save } = form
  const guard = useUnsavedGuard(changed)
  if (query.isPending) {
    return (
      <div role="status" aria-label="Carregando a API oficial" className="card grid gap-3 p-4 sm:p-5">
        <Skeleton className="h-6 w-64" />
        <Skeleton className="h-32 w-full" />
      </div>
    )
  }
  return (
    <section aria-labelledby="api-oficial" className="card p-4 sm:p-5">
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
      <LeaveUnsavedDialog guard={guard}>Os dados da API oficial ainda não foram salvos.</LeaveUnsavedDialog>
    </section>
  )
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify.sucesso('Copiado!')
  } catch {
    notify.erro('Não foi possível copiar. Selecione o texto e copie com o teclado.')
  }
}

function CopyField({ rotulo, valor }: { rotulo: string; valor: string }) {
  return (
    <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
      <TextField
        label={rotulo}
        value={valor}
        readOnly
        className="font-mono text-sm"
        onFocus={({ currentTarget }) => currentTarget.select()}
      />

      <Button className="sm:mt-[1.55rem] sm:self-start" onClick={() => void copyText(valor)}>
        <Copy aria-hidden className="size-4" /> Copiar<span className="sr-only"> {rotulo}</span>
      </Button>
    </div>
  )
}

function OficialWebhook({ url, verificacao }: { url: string; verificacao: string }) {
  return (
    <div className="mt-4 grid gap-3 rounded-[10px] bg-sunken p-3 sm:p-4">
      <p className="text-sm">
        <b>Diga à Meta onde entregar as mensagens.</b> No painel do seu aplicativo, em WhatsApp → Configuração, cole
        estes dois dados e assine o campo <b>messages</b>.
      </p>
      <CopyField rotulo="URL de retorno de chamada" valor={url} />
      <CopyField rotulo="Token de verificação" valor={verificacao} />
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

function useOficialForm() {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => (await call(oficialRoute, { signal })).oficial,
  })
  const form = useConfigForm({
    loaded: query.data ?? EMPTY_OFICIAL,
    valuesOf: inputOf,
    send: async (_base, body) => {
      const { oficial } = await call(salvarOficialRoute, { body })
      client.setQueryData(QUERY_KEY, oficial)
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
