import { LIMITE_MENSAGENS_DIA_PADRAO, LIMITE_USUARIOS_POR_PLANO_PADRAO } from '@balcao/contract/constants'
import {
  type AdminConfiguracoes,
  type AdminConfiguracoesPatch,
  adminConfiguracoesSchema,
  SUPORTE_INVALIDO,
} from '@balcao/contract/entities/admin'
import type { FormEvent } from 'react'
import { notify } from '#shared/avisos.ts'
import type { LabelledFields } from '#shared/form/labelled-fields.ts'
import { changedFields, useConfigForm } from '#shared/form/use-config-form.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Select } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notifyError } from '#features/admin/usuarios/usuario-actions.ts'
import { useConfiguracoes, useSaveConfiguracoes } from '#features/admin/admin-queries.ts'
import { parseInteger } from '#features/admin/parse-integer.ts'
import { IaHostsCard } from './ia-hosts-card.tsx'
import { RatesCard } from './rates-card.tsx'
import { SentEmails } from './sent-emails.tsx'

const USUARIOS_MAX = 1_000_000
const MENSAGENS_MAX = 1_000_000_000

export function ConfiguracoesTab() {
  const { data, error, refetch } = useConfiguracoes()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="grid gap-5">
        <Card heading="Configurações do sistema" aria-busy={data === undefined}>
          {error !== null && data === undefined ? (
            <ErrorState message={error.message} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <div className="grid gap-5">
              <Skeleton className="h-16 w-full" />
              <Skeleton className="h-16 w-full" />
              <Skeleton className="h-12 w-full" />
              <Skeleton className="h-12 w-full" />
            </div>
          ) : (
            <ConfiguracoesForm stored={data} />
          )}
        </Card>
        <RatesCard />
        <IaHostsCard />
      </div>
      <SentEmails />
    </div>
  )
}

type NumberField = 'limiteUsuariosPorPlano' | 'mensagensPorDia'

/** Numbers are the typed texts. */
type ConfiguracoesDraft = Omit<AdminConfiguracoes, NumberField> & Readonly<Record<NumberField, string>>

function draftOf(stored: AdminConfiguracoes): ConfiguracoesDraft {
  return {
    ...stored,
    limiteUsuariosPorPlano: String(stored.limiteUsuariosPorPlano),
    mensagensPorDia: String(stored.mensagensPorDia),
  }
}

function inputOf(draft: ConfiguracoesDraft) {
  return {
    ...draft,
    limiteUsuariosPorPlano: parseInteger(draft.limiteUsuariosPorPlano, LIMITE_USUARIOS_POR_PLANO_PADRAO, USUARIOS_MAX),
    mensagensPorDia: parseInteger(draft.mensagensPorDia, LIMITE_MENSAGENS_DIA_PADRAO, MENSAGENS_MAX),
    suporteWhatsapp: draft.suporteWhatsapp.replace(/[\s()+-]/g, ''),
  }
}

function useConfiguracoesForm(loaded: AdminConfiguracoes) {
  const { mutateAsync } = useSaveConfiguracoes()
  const form = useConfigForm({
    loaded,
    valuesOf: draftOf,
    send: async (base, draft) => {
      // Sends only the changed fields, so that changes by another administrator are kept.
      const changed = changedFields<AdminConfiguracoesPatch>(adminConfiguracoesSchema.parse(inputOf(draft)), base)
      return Object.keys(changed).length === 0 ? base : await mutateAsync(changed)
    },
  })
  const checked = adminConfiguracoesSchema.safeParse(inputOf(form.values))
  const invalid = new Set(checked.success ? [] : checked.error.issues.map(({ path }) => path[0]))

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (invalid.size > 0) return
    const outcome = await form.save()
    if (outcome.tipo === 'salva') notify.sucesso('Configurações salvas com sucesso!')
    else notifyError('Erro ao salvar alterações', outcome.error)
  }
  return { ...form, invalid, save }
}

const NO_SUPPORT = 'Sem um número, quem paga o plano Doação não consegue falar com ninguém.'

const NUMBER_FIELDS: LabelledFields<Pick<AdminConfiguracoes, NumberField>> = [
  {
    campo: 'limiteUsuariosPorPlano',
    rotulo: 'Limite de usuários por plano',
    dica: 'Com este número de contas no plano Gratuito, novos cadastros pela página são recusados. Você ainda pode criar contas.',
  },
  { campo: 'mensagensPorDia', rotulo: 'Mensagens por dia', dica: 'O limite com que cada conta nova começa.' },
]

const SWITCH_FIELDS: LabelledFields<Pick<AdminConfiguracoes, 'permitirAutoRegistro' | 'notificacoesEmail'>> = [
  {
    campo: 'permitirAutoRegistro',
    rotulo: 'Permitir auto-registro',
    dica: 'Desligado, a página de cadastro fecha e só você cria contas.',
  },
  {
    campo: 'notificacoesEmail',
    rotulo: 'Notificações por e-mail',
    dica: 'Desligado, só a redefinição de senha é enviada.',
  },
]

const POLITICAS = [
  { valor: 'padrao', rotulo: 'Padrão: pelo menos 6 caracteres' },
  { valor: 'forte', rotulo: 'Forte: 15 caracteres, ou 8 com duas etapas' },
] as const

function ConfiguracoesForm({ stored }: { stored: AdminConfiguracoes }) {
  const form = useConfiguracoesForm(stored)
  const { changed, saving, invalid, discard, save } = form
  const guard = useUnsavedGuard(changed && !saving)
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-5">
      <ConfiguracoesFields form={form} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="touch" busy={saving} disabled={invalid.size > 0}>
          {saving ? 'Salvando…' : 'Salvar'}
        </Button>
        {changed && !saving && (
          <Button variant="ghost" size="touch" onClick={discard}>
            Descartar
          </Button>
        )}
      </div>
      <LeaveUnsavedDialog guard={guard}>As alterações desta página ainda não foram salvas.</LeaveUnsavedDialog>
    </form>
  )
}

function ConfiguracoesFields({ form }: { form: ReturnType<typeof useConfiguracoesForm> }) {
  const { values, invalid, change } = form
  return (
    <>
      {NUMBER_FIELDS.map(({ campo, rotulo, dica }) => (
        <TextField
          key={campo}
          label={rotulo}
          hint={dica}
          type="number"
          min={1}
          inputMode="numeric"
          value={values[campo]}
          error={invalid.has(campo) ? 'Informe um número inteiro, a partir de 1' : undefined}
          onChange={({ currentTarget }) => change({ [campo]: currentTarget.value })}
        />
      ))}
      {SWITCH_FIELDS.map(({ campo, rotulo, dica }) => (
        <Switch key={campo} label={rotulo} hint={dica} on={values[campo]} onChange={(on) => change({ [campo]: on })} />
      ))}
      <TextField
        label="Suporte pelo WhatsApp"
        type="tel"
        inputMode="tel"
        placeholder="5511987654321"
        maxLength={25}
        value={values.suporteWhatsapp}
        hint={values.suporteWhatsapp.trim() === '' ? NO_SUPPORT : 'Contas no plano Doação falam com este número.'}
        error={invalid.has('suporteWhatsapp') ? SUPORTE_INVALIDO : undefined}
        onChange={({ currentTarget }) => change({ suporteWhatsapp: currentTarget.value })}
      />
      <Switch
        label="Exigir verificação em duas etapas dos administradores"
        hint="Quem não tem, cadastra na próxima vez que abrir o painel."
        on={values.exigirSegundoFatorAdmin}
        onChange={(exigirSegundoFatorAdmin) => change({ exigirSegundoFatorAdmin })}
      />
      <Select
        label="Senhas novas"
        value={values.politicaSenha}
        options={POLITICAS}
        hint="As senhas que já existem continuam valendo."
        onChange={(politicaSenha) => change({ politicaSenha })}
      />
    </>
  )
}
