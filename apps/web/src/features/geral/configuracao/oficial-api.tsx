import { Save, Copy } from 'lucide-react'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useOficialForm } from './use-oficial.ts'
import { notify } from '#shared/avisos.ts'

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
