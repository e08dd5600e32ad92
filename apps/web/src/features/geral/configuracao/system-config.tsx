import { AiStudioLink } from '#shared/ia/ai-studio-link.tsx'
import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'
import { CONECTORES, TEXTO_MAXIMO } from '@balcao/contract/constants'
import { healthRoute } from '@balcao/contract/routes/registros'
import { PlugZap, RefreshCw, Save, TriangleAlert } from 'lucide-react'
import { type Ref, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useManyLinhas } from '#shared/conta/linhas.ts'
import { useSistemaStatus } from '#shared/data/server-status.ts'
import { Button } from '#shared/ui/button.tsx'
import { Field } from '#shared/ui/field.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { Select } from '#shared/ui/select.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { OficialApi } from './oficial-api.tsx'
import type { GeralFormState } from './use-geral-form.ts'

async function testConnection(): Promise<void> {
  try {
    await call(healthRoute, {})
    notify.sucesso('Conexão com o backend estabelecida!')
  } catch (error) {
    const answered = error instanceof ApiError && error.status > 0
    notify.erro(answered ? 'Não foi possível conectar ao backend' : `Erro ao testar conexão: ${errorMessage(error)}`)
  }
}

function KeyHelp() {
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-6 cursor-pointer items-center font-semibold text-brand-ink">
        Como obter a chave
      </summary>
      <ol className="mt-1.5 list-decimal space-y-1 pl-5 text-muted">
        <li>
          Acesse o <AiStudioLink />
        </li>
        <li>Entre com a sua conta Google</li>
        <li>Clique em “Criar chave de API”</li>
        <li>Copie a chave e cole no campo acima</li>
        <li>Salve: depois disso ela aparece só com os quatro últimos caracteres</li>
      </ol>
    </details>
  )
}

function ConflictNotice({ onReload }: { onReload: () => void }) {
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-3 rounded-[10px] bg-warn-soft p-3 text-sm text-warn-ink"
    >
      <TriangleAlert aria-hidden className="size-4.5 flex-none" />
      <p className="min-w-48 flex-1">
        <b>A configuração foi alterada em outra janela.</b> Recarregue para ver a atual; o que você digitou aqui será
        substituído.
      </p>
      <Button size="sm" onClick={onReload}>
        Recarregar
      </Button>
    </div>
  )
}

/** Those of the server, and the chosen one. All until the server has answered: it refuses an absent one anyway. */
function useConectorOptions(chosen: ConectorTipo) {
  const { data } = useSistemaStatus()
  const present = data?.conectores ?? CONECTORES
  return CONECTORES.filter((valor) => valor === chosen || present.includes(valor)).map((valor) => {
    const { label } = CONNECTORS[valor]
    return { valor, rotulo: present.includes(valor) ? label : `${label} (não instalado)` }
  })
}

interface FieldsProps {
  readonly form: GeralFormState
}

function SystemConfigFields({ form, botRunning }: FieldsProps & { readonly botRunning: boolean }) {
  const { values, errors, change, hasChanged } = form
  const conectorOptions = useConectorOptions(values.conector)
  const many = useManyLinhas().length > 0
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        <TextField
          name="clientId"
          value={values.clientId}
          onChange={({ currentTarget }) => change({ clientId: currentTarget.value })}
          label="Client ID"
          hint="O nome desta conexão. Já vem com o nome da empresa; mude só se quiser. Aparece no status, nos registros e nos e-mails; não é senha."
          error={errors['clientId']}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={80}
        />
        <Select
          name="conector"
          value={values.conector}
          onChange={(conector) => change({ conector })}
          label={many ? 'Conector da linha principal' : 'Conector'}
          options={conectorOptions}
          error={errors['conector']}
          hint={
            hasChanged('conector') && botRunning
              ? 'Pare e inicie o bot depois de salvar para usar o novo conector.'
              : CONNECTORS[values.conector].settingsHelp
          }
        />
        <ApiKeyField form={form} />
      </div>
      <MissedCallField form={form} />
      <BrowserPathField form={form} />
    </>
  )
}

function ApiKeyField({ form: { values, errors, change, storedKey } }: FieldsProps) {
  return (
    <div>
      <PasswordField
        name="apiKey"
        value={values.apiKey}
        onChange={({ currentTarget }) => change({ apiKey: currentTarget.value })}
        label="API Key da IA"
        error={errors['apiKey']}
        autoComplete="off"
        spellCheck={false}
        maxLength={512}
        placeholder="Cole a chave do Gemini"
        onFocus={({ currentTarget }) => {
          if (currentTarget.value !== '' && currentTarget.value === storedKey) currentTarget.select()
        }}
      />
      <div className="mt-1">
        <KeyHelp />
      </div>
    </div>
  )
}

function MissedCallField({ form: { values, errors, change } }: FieldsProps) {
  return (
    <Field
      label="Resposta a ligações"
      className="mt-4"
      hint="O que o cliente recebe quando liga e ninguém atende no celular. Em branco, nada é enviado; a ligação perdida aparece na conversa. Só com o conector WhatsApp: a API oficial não avisa de ligações."
      error={errors['respostaLigacao']}
    >
      {(link) => (
        <textarea
          {...link}
          name="respostaLigacao"
          rows={2}
          className="field resize-y"
          maxLength={TEXTO_MAXIMO}
          placeholder="Não atendemos ligações por aqui. Escreva sua mensagem, que respondemos!"
          value={values.respostaLigacao}
          onChange={({ currentTarget }) => change({ respostaLigacao: currentTarget.value })}
        />
      )}
    </Field>
  )
}

function BrowserPathField({ form: { values, errors, change } }: FieldsProps) {
  const byBrowser = CONNECTORS[values.conector].pairing === 'browser'
  // The key remounts it per connector, so it opens for the browser connector and keeps manual toggles.
  return (
    <details key={String(byBrowser)} open={byBrowser} className="mt-4">
      <summary className="inline-flex min-h-6 cursor-pointer items-center text-sm font-semibold text-brand-ink">
        Avançado
      </summary>
      <div className="mt-3 max-w-xl">
        <TextField
          name="chromePath"
          value={values.chromePath}
          onChange={({ currentTarget }) => change({ chromePath: currentTarget.value })}
          label="Caminho do navegador"
          hint={
            byBrowser
              ? 'Onde o Chrome ou o Chromium está instalado no servidor. Em branco, o servidor procura nos lugares de costume.'
              : 'Só para o conector “WhatsApp pelo navegador”: onde o Chrome está instalado no servidor.'
          }
          error={errors['chromePath']}
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
        />
      </div>
    </details>
  )
}

export interface SystemConfigProps {
  readonly form: GeralFormState
  /** False while a local copy is shown: saving it would overwrite newer settings. */
  readonly canSave: boolean
  readonly botRunning: boolean
  readonly actions: Ref<HTMLDivElement>
  /** The bar at the bottom has the same buttons. */
  readonly replaced: boolean
}

export function SystemConfig({ form, canSave, botRunning, actions, replaced }: SystemConfigProps) {
  const [reloading, setReloading] = useState(false)
  const [asking, setAsking] = useState(false)
  /** With more lines the card of each has its own data of the official API. */
  const linhas = useManyLinhas()

  async function reload(): Promise<void> {
    setReloading(true)
    await form.reload()
    setReloading(false)
  }

  return (
    <>
      <section aria-labelledby="configuracao" className="card p-4 sm:p-5">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (canSave) void form.save()
          }}
        >
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <h2 id="configuracao" className="text-lg font-bold">
              Configuração do Sistema
            </h2>
            <FormActions
              ref={actions}
              {...{ form, reloading, canSave, replaced }}
              onReload={() => (form.changed ? setAsking(true) : void reload())}
            />
          </div>
          {form.conflict && <ConflictNotice onReload={() => void reload()} />}
          <SystemConfigFields form={form} botRunning={botRunning} />
        </form>
        <ConfirmDialog
          open={asking}
          title="Descartar o que você digitou?"
          confirmLabel="Recarregar"
          onConfirm={reload}
          onClose={() => setAsking(false)}
        >
          A configuração salva no servidor substitui as alterações que ainda não foram salvas.
        </ConfirmDialog>
      </section>
      {form.values.conector === 'oficial' && linhas.length === 0 && <OficialApi />}
    </>
  )
}

interface FormActionsProps extends Pick<SystemConfigProps, 'form' | 'canSave' | 'replaced'> {
  readonly ref: Ref<HTMLDivElement>
  readonly reloading: boolean
  readonly onReload: () => void
}

function FormActions({ ref, form, reloading, canSave, replaced, onReload }: FormActionsProps) {
  const { changed, saving, discard } = form
  const [testing, setTesting] = useState(false)
  async function test(): Promise<void> {
    setTesting(true)
    await testConnection()
    setTesting(false)
  }
  return (
    <div ref={ref} className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <Button variant="ghost" className="max-sm:flex-1" busy={reloading} onClick={onReload}>
        {!reloading && <RefreshCw aria-hidden className="size-4" />} Recarregar
      </Button>
      <Button className="max-sm:flex-1" busy={testing} onClick={() => void test()}>
        {!testing && <PlugZap aria-hidden className="size-4" />} Testar conexão
      </Button>
      <div className="flex gap-2 max-sm:w-full" style={replaced ? { visibility: 'hidden' } : undefined}>
        {changed && (
          <Button className="max-sm:flex-1" onClick={discard} disabled={saving}>
            Descartar
          </Button>
        )}
        <Button variant="primary" type="submit" className="max-sm:flex-1" busy={saving} disabled={!canSave}>
          {!saving && <Save aria-hidden className="size-4" />} {saving ? 'Salvando…' : 'Salvar'}
        </Button>
      </div>
    </div>
  )
}
