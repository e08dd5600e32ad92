import { LINK_PRIVACIDADE, type Privacidade, RETENCAO } from '@balcao/contract/entities/lgpd'
import { useState, type FormEvent } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { unsentEdits } from '#shared/form/unsent-edits.ts'
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
      <h3 id="lgpd-aviso" className="font-bold">
        Aviso e prazo
      </h3>
      {isPending ? (
        <Skeleton className="h-56 w-full" />
      ) : data === undefined ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <PrivacidadeForm guardada={data} />
      )}
    </section>
  )
}

interface PrivacidadeDraft {
  readonly dias: string
  readonly texto: string
  readonly ativo: boolean
  readonly guardaLegal: boolean
}

const FIELDS = ['dias', 'texto', 'ativo', 'guardaLegal'] as const

function toDraft({ retencaoDias, guardaLegal, aviso }: Privacidade): PrivacidadeDraft {
  return { dias: String(retencaoDias), guardaLegal, ...aviso }
}

function fieldErrorOf(erro: Error | null, path: string): string | undefined {
  if (!(erro instanceof ApiError)) return undefined
  return erro.dados.detalhes?.find((detail) => detail.caminho === path)?.mensagem
}

function PrivacidadeForm({ guardada }: { guardada: Privacidade }) {
  const inicial = toDraft(guardada)
  const [edits, setEdicoes] = useState<Partial<PrivacidadeDraft>>({})
  const draft: PrivacidadeDraft = { ...inicial, ...edits }
  const save = useSavePrivacidade()
  const changed = (field: keyof PrivacidadeDraft): boolean => draft[field] !== inicial[field]
  const alterado = FIELDS.some(changed)
  const guarda = useUnsavedGuard(alterado)
  const change = (fields: Partial<PrivacidadeDraft>): void => {
    save.reset()
    setEdicoes((before) => ({ ...before, ...fields }))
  }

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!alterado || save.isPending) return
    const { dias, texto, ativo, guardaLegal } = draft
    try {
      // Sends only the changed fields, so that changes from another window are kept.
      await save.mutateAsync({
        ...(changed('dias') ? { retencaoDias: Number(dias) } : {}),
        ...(changed('guardaLegal') ? { guardaLegal } : {}),
        aviso: { ...(changed('ativo') ? { ativo } : {}), ...(changed('texto') ? { texto } : {}) },
      })
      setEdicoes((now) => unsentEdits(now, edits))
      notify.sucesso('Privacidade salva.')
    } catch (erro) {
      if (!(erro instanceof ApiError) || erro.dados.detalhes === undefined) notify.erro(errorMessage(erro))
    }
  }

  return (
    <form noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
      <Switch
        label="Avisar sobre privacidade no primeiro contato"
        hint="Uma vez por cliente, logo depois da saudação, com o link da política de privacidade."
        on={draft.ativo}
        onChange={(ativo) => change({ ativo })}
      />
      <Field
        label="Texto do aviso"
        error={fieldErrorOf(save.error, 'aviso.texto')}
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
            value={draft.texto}
            onChange={({ currentTarget }) => change({ texto: currentTarget.value })}
          />
        )}
      </Field>
      <div className="max-w-sm">
        <TextField
          label="Guardar conversas por quantos dias"
          inputMode="numeric"
          autoComplete="off"
          value={draft.dias}
          error={fieldErrorOf(save.error, 'retencaoDias')}
          hint={`De ${RETENCAO.minimo} a ${RETENCAO.maximo}. O que for mais antigo é apagado sozinho.`}
          onChange={({ currentTarget }) => change({ dias: currentTarget.value.replace(/\D/g, '').slice(0, 4) })}
        />
      </div>
      <Switch
        label="Guarda legal"
        hint="Ligue só se a Justiça ou uma autoridade mandar preservar tudo: enquanto estiver ligada, nada é apagado, nem a pedido."
        on={draft.guardaLegal}
        onChange={(guardaLegal) => change({ guardaLegal })}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          className="min-h-11"
          disabled={!alterado}
          busy={save.isPending}
          aria-label="Salvar a privacidade"
        >
          {save.isPending ? 'Salvando…' : 'Salvar'}
        </Button>
        {alterado && (
          <Button
            variant="ghost"
            className="min-h-11"
            onClick={() => {
              save.reset()
              setEdicoes({})
            }}
          >
            Descartar
          </Button>
        )}
      </div>
      <LeaveUnsavedDialog guard={guarda}>O aviso e o prazo de privacidade ainda não foram salvos.</LeaveUnsavedDialog>
    </form>
  )
}
