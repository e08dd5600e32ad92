import type { Webchat } from '@balcao/contract/entities/webchat'
import type { Linha } from '@balcao/contract/entities/linha'
import { Link } from '@tanstack/react-router'
import { useLeaveGuard } from '#shared/hooks/use-leave-guard.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { LongText } from '#shared/form/long-text.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { CodeSection, SecretQuestion, SecretSection, useSecret } from './site-code.tsx'
import { ColorField } from './color-field.tsx'
import { OriginList } from './origin-list.tsx'
import { useWebchat, useWebchatForm, type WebchatForm } from './use-webchat.ts'
import { WebchatPreview } from './webchat-preview.tsx'

interface WebchatDialogProps {
  readonly linha: Linha
  readonly onClose: () => void
}

export function WebchatDialog({ linha, onClose }: WebchatDialogProps) {
  const query = useWebchat(linha.id)
  const { data } = query
  if (data !== undefined) return <LoadedDialog linha={linha} webchat={data} onClose={onClose} />
  return (
    <Dialog open width="xl" title={`Chat no site: ${linha.nome}`} onClose={onClose}>
      <QueryState
        query={query}
        skeleton={
          <div role="status" aria-label="Carregando o chat do site" className="grid gap-4">
            <Skeleton className="h-24 w-full" />
            <Skeleton className="h-40 w-full" />
          </div>
        }
      >
        {() => null}
      </QueryState>
    </Dialog>
  )
}

function LoadedDialog({ linha, webchat, onClose }: WebchatDialogProps & { readonly webchat: Webchat }) {
  const form = useWebchatForm(linha.id, webchat)
  const secret = useSecret(linha.id)
  const wide = useMediaQuery('(min-width: 64rem)')
  const preview = <WebchatPreview nome={linha.nome} values={form.values} />
  const { changed, saving } = form
  const { tryClose, question } = useLeaveGuard(changed, saving, onClose)
  return (
    <>
      <Dialog open width="xl" title={`Chat no site: ${linha.nome}`} hold={changed || saving} onClose={tryClose}>
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="grid gap-6">
            <WebchatSettings form={form} onCancel={tryClose} />
            {!wide && preview}
            <CodeSection codigo={webchat.codigo} />
            <SecretSection {...secret} />
            <ManualLink />
          </div>
          {wide && preview}
        </div>
      </Dialog>
      <SecretQuestion {...secret.question} />
      <LeaveUnsavedDialog guard={question}>As mudanças do chat ainda não foram salvas.</LeaveUnsavedDialog>
    </>
  )
}

function ManualLink() {
  return (
    <p className="text-sm text-muted">
      Passo a passo com exemplos:{' '}
      <Link
        to="/ajuda/{-$tema}"
        params={{ tema: 'chat-no-site' }}
        target="_blank"
        className="font-semibold text-brand-ink underline"
      >
        Chat no site, no manual
        <span className="sr-only"> (abre em outra aba)</span>
      </Link>
    </p>
  )
}

const SAUDACAO_MAX = 300

function WebchatSettings({ form, onCancel }: { readonly form: WebchatForm; readonly onCancel: () => void }) {
  const { values, errors, changed, saving, change, save } = form
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (changed && !saving) void save()
      }}
    >
      <OriginList origens={values.origens} error={errors['origens']} onChange={(origens) => change({ origens })} />
      <LongText
        label="Saudação"
        value={values.saudacao}
        total={SAUDACAO_MAX}
        rows={2}
        error={errors['saudacao']}
        hint="A primeira frase que o visitante vê quando abre o chat."
        onChange={(saudacao) => change({ saudacao })}
      />
      <ColorField cor={values.cor} error={errors['cor']} onChange={(cor) => change({ cor })} />
      <Switch
        label="Perguntar o nome"
        hint="O visitante escreve o nome antes da primeira mensagem."
        on={values.pedirNome}
        onChange={(pedirNome) => change({ pedirNome })}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="touch" onClick={onCancel}>
          {changed ? 'Cancelar' : 'Fechar'}
        </Button>
        <Button type="submit" variant="primary" size="touch" busy={saving} disabled={!changed}>
          {saving ? 'Salvando…' : 'Salvar'}
        </Button>
      </div>
    </form>
  )
}
