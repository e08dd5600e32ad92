import { mayReadSetor } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import { Dialog } from '#shared/ui/dialog.tsx'
import { readerOf } from '#shared/data/conversa-reader.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Field } from '#shared/ui/field.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Select } from '#shared/ui/select.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { ContatoChoice } from './contato-choice.tsx'
import { type NewConversaForm, useNewConversa } from './use-new-conversa.ts'

export interface NewConversaDialogProps {
  readonly setores: readonly Setor[]
  readonly onClose: () => void
}

/** Opens a conversa with a contato or a number, with or without a first message. */
export function NewConversaDialog(props: NewConversaDialogProps) {
  return (
    <Dialog open title="Nova conversa" onClose={props.onClose}>
      <Form {...props} />
    </Dialog>
  )
}

function Form({ setores, onClose }: NewConversaDialogProps) {
  const reader = readerOf(useUsuario())
  const choices = setores.filter(({ id, ativo }) => ativo && mayReadSetor(reader, id))
  const form = useNewConversa(reader.setores[0] ?? 'geral', onClose)
  const { fields, change, busy, errors } = form
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void form.submit(event)}>
      <Refusal form={form} />
      <ContatoChoice
        written={fields.quem}
        chosen={fields.contato}
        error={errors.quem}
        onWrite={(quem) => change({ quem })}
        onChoose={(contato) => change({ contato, quem: '' })}
      />
      {form.isNumber && (
        <TextField
          label="Nome (opcional)"
          autoComplete="off"
          maxLength={120}
          value={fields.nome}
          onChange={({ currentTarget }) => change({ nome: currentTarget.value })}
        />
      )}
      <Select
        label="Setor"
        value={fields.setor}
        options={choices.map(({ id, nome }) => ({ valor: id, rotulo: nome }))}
        onChange={(setor) => change({ setor })}
      />
      <Warnings form={form} />
      <Field label="Primeira mensagem (opcional)" error={errors.mensagem}>
        {(link) => (
          <textarea
            {...link}
            rows={3}
            maxLength={4096}
            className="field max-h-64 min-h-20 resize-none field-sizing-content"
            value={fields.mensagem}
            onChange={({ currentTarget }) => change({ mensagem: currentTarget.value })}
          />
        )}
      </Field>
      <FormActions
        onCancel={onClose}
        busy={busy}
        submitLabel={fields.mensagem.trim() === '' ? 'Abrir conversa' : 'Enviar'}
      />
    </form>
  )
}

function Refusal({ form: { refusal, openExisting, openWithoutMessage } }: { form: NewConversaForm }) {
  if (refusal === null) return null
  return (
    <Notice tone="erro" title={refusal.text}>
      {refusal.conversaId !== undefined && (
        <Button className="mt-2" onClick={openExisting}>
          Ver conversa
        </Button>
      )}
      {refusal.janelaFechada && (
        <Button className="mt-2" onClick={() => void openWithoutMessage()}>
          Abrir sem a mensagem
        </Button>
      )}
    </Notice>
  )
}

function Warnings({ form: { stopped, windowClosed } }: { form: NewConversaForm }) {
  return (
    <>
      {stopped && (
        <Notice tone="espera" title="Esta pessoa pediu PARAR">
          O bot não envia nada até ela escrever VOLTAR. Você ainda pode escrever.
        </Notice>
      )}
      {windowClosed && (
        <Notice tone="espera" title="Fora da janela de 24 horas">
          Abra a conversa sem mensagem e envie um modelo aprovado, em Detalhes.
        </Notice>
      )}
    </>
  )
}
