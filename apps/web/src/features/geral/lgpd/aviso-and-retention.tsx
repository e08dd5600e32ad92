import { LINK_PRIVACIDADE, type Privacidade, type PrivacidadePatch, RETENCAO } from '@balcao/contract/entities/lgpd'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useConfigForm } from '#shared/form/use-config-form.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Field } from '#shared/ui/field.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { usePrivacidade, useSavePrivacidade } from './lgpd-queries.ts'

export function AvisoAndRetention() {
  const { data, error, isPending, refetch } = usePrivacidade()
  return (
    <section aria-labelledby="lgpd-aviso" className="grid gap-3" aria-busy={isPending}>
      <h3 id="lgpd-aviso" tabIndex={-1} className="font-bold outline-none">
        Aviso e prazo
      </h3>
      {isPending ? (
        <Skeleton className="h-56 w-full" />
      ) : data === undefined ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <PrivacidadeForm stored={data} />
      )}
    </section>
  )
}

interface PrivacidadeValues {
  readonly dias: string
  readonly texto: string
  readonly ativo: boolean
  readonly guardaLegal: boolean
}

function valuesOf({ retencaoDias, guardaLegal, aviso }: Privacidade): PrivacidadeValues {
  return { dias: String(retencaoDias), guardaLegal, ...aviso }
}

/** Only the changed fields, so that changes from another window are kept. */
function patchOf(stored: PrivacidadeValues, { dias, texto, ativo, guardaLegal }: PrivacidadeValues): PrivacidadePatch {
  return {
    ...(dias === stored.dias ? {} : { retencaoDias: Number(dias) }),
    ...(guardaLegal === stored.guardaLegal ? {} : { guardaLegal }),
    aviso: { ...(ativo === stored.ativo ? {} : { ativo }), ...(texto === stored.texto ? {} : { texto }) },
  }
}

function usePrivacidadeForm(stored: Privacidade) {
  const savePrivacidade = useSavePrivacidade()
  const form = useConfigForm({
    loaded: stored,
    valuesOf,
    send: (base, values) => savePrivacidade(patchOf(valuesOf(base), values)),
  })
  return {
    ...form,
    change: (fields: Partial<PrivacidadeValues>): void => {
      form.setErrors({})
      form.change(fields)
    },
    save: async (): Promise<void> => {
      if (!form.changed || form.saving) return
      const outcome = await form.save()
      if (outcome.tipo === 'salva') return void notify.sucesso('Privacidade salva.')
      const { error } = outcome
      const details = error instanceof ApiError ? error.dados.detalhes : undefined
      if (details === undefined) notify.erro(errorMessage(error))
      else form.setErrors(Object.fromEntries(details.map(({ caminho, mensagem }) => [caminho, mensagem])))
    },
  }
}

type PrivacidadeFormState = ReturnType<typeof usePrivacidadeForm>

function PrivacidadeForm({ stored }: { stored: Privacidade }) {
  const form = usePrivacidadeForm(stored)
  const { changed, saving, save, discard } = form
  const guard = useUnsavedGuard(changed)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      className="grid gap-5"
    >
      <PrivacidadeFields form={form} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          className="min-h-11"
          disabled={!changed}
          busy={saving}
          aria-label="Salvar a privacidade"
        >
          {saving ? 'Salvando…' : 'Salvar'}
        </Button>
        {changed && (
          <Button variant="ghost" className="min-h-11" onClick={discard}>
            Descartar
          </Button>
        )}
      </div>
      <LeaveUnsavedDialog guard={guard}>O aviso e o prazo de privacidade ainda não foram salvos.</LeaveUnsavedDialog>
    </form>
  )
}

function PrivacidadeFields({ form: { values, errors, change } }: { form: PrivacidadeFormState }) {
  return (
    <>
      <Switch
        label="Avisar sobre privacidade no primeiro contato"
        hint="Uma vez por cliente, logo depois da saudação, com o link da política de privacidade."
        on={values.ativo}
        onChange={(ativo) => change({ ativo })}
      />
      <Field
        label="Texto do aviso"
        error={errors['aviso.texto']}
        hint={
          <>
            <code>{LINK_PRIVACIDADE}</code> vira o link da política; <code>{'{empresa}'}</code>, o nome da empresa. Quem
            escrever PARAR não recebe mais mensagens automáticas até escrever VOLTAR.
          </>
        }
      >
        {(link) => (
          <textarea
            {...link}
            rows={3}
            maxLength={1000}
            className="field"
            value={values.texto}
            onChange={({ currentTarget }) => change({ texto: currentTarget.value })}
          />
        )}
      </Field>
      <div className="max-w-sm">
        <TextField
          label="Guardar conversas por quantos dias"
          inputMode="numeric"
          autoComplete="off"
          value={values.dias}
          error={errors['retencaoDias']}
          hint={`De ${RETENCAO.minimo} a ${RETENCAO.maximo}. O que for mais antigo é apagado sozinho.`}
          onChange={({ currentTarget }) => change({ dias: currentTarget.value.replace(/\D/g, '').slice(0, 4) })}
        />
      </div>
      <Switch
        label="Guarda legal"
        hint="Ligue só se a Justiça ou uma autoridade mandar preservar tudo: enquanto estiver ligada, nada é apagado, nem a pedido."
        on={values.guardaLegal}
        onChange={(guardaLegal) => change({ guardaLegal })}
      />
    </>
  )
}
