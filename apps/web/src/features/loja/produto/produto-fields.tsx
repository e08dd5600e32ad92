import { Field } from '#shared/ui/field.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { cleanPrice } from '#features/loja/price.ts'
import type { useProdutoForm } from './use-produto-form.ts'

type Form = ReturnType<typeof useProdutoForm>

export function ProdutoFields({ form }: { form: Form }) {
  const { values, errors, change, tidy } = form
  return (
    <>
      <TextField
        label="Nome"
        name="nome"
        required
        maxLength={120}
        autoComplete="off"
        error={errors['nome']}
        value={values.nome}
        onChange={({ currentTarget }) => change({ nome: currentTarget.value })}
      />
      <Field label="Descrição" error={errors['descricao']}>
        {(link) => (
          <textarea
            {...link}
            name="descricao"
            required
            rows={3}
            maxLength={4096}
            className="field block max-h-64 min-h-16 resize-none [field-sizing:content]"
            value={values.descricao}
            onChange={({ currentTarget }) => change({ descricao: currentTarget.value })}
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-[12rem_1fr]">
        <PriceField form={form} />
        <TextField
          label="Link de compra (opcional)"
          name="linkCheckout"
          type="url"
          inputMode="url"
          maxLength={2000}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://…"
          error={errors['linkCheckout']}
          value={values.linkCheckout}
          onChange={({ currentTarget }) => change({ linkCheckout: currentTarget.value })}
          onBlur={tidy}
        />
      </div>
      <Switch
        label="Ativo na loja"
        hint="Desligado, o produto fica guardado e os clientes não o veem."
        on={values.ativo}
        onChange={(ativo) => change({ ativo })}
      />
    </>
  )
}

function PriceField({ form: { values, errors, change, tidy } }: { form: Form }) {
  return (
    <Field label="Preço" error={errors['preco']}>
      {(link) => (
        <div className="relative">
          <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center text-muted">
            R$
          </span>
          <input
            {...link}
            name="preco"
            required
            inputMode="decimal"
            autoComplete="off"
            placeholder="0,00"
            maxLength={16}
            className="field pl-10 tabular-nums"
            value={values.preco}
            onChange={({ currentTarget }) => change({ preco: cleanPrice(currentTarget.value) })}
            onBlur={tidy}
          />
        </div>
      )}
    </Field>
  )
}
