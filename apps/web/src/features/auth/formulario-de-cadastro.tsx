import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { maskPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { NovaSenha } from './nova-senha.tsx'
import { RecusaDoFormulario } from './recusa-do-formulario.tsx'
import type { Envio } from './use-envio.ts'

const NO_TEXTO = 'font-semibold text-brand-ink underline underline-offset-4'

const legal = (rotulo: string) => ({ target: '_blank', rel: 'noopener', 'aria-label': `${rotulo} (abre em outra aba)` })

export function FormularioDeCadastro({ envio: { recusa, ocupado, onSubmit, erroDe } }: { envio: Envio }) {
  const [telefone, setTelefone] = useState('')
  return (
    <>
      <form noValidate onSubmit={onSubmit} className="space-y-4">
        <RecusaDoFormulario recusa={recusa} />
        <TextField rotulo="Nome" name="nome" autoComplete="name" required erro={erroDe('nome')} className="min-h-12" />
        <TextField
          rotulo="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          required
          erro={erroDe('email')}
          className="min-h-12"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            rotulo="Telefone"
            name="telefone"
            type="tel"
            autoComplete="tel-national"
            placeholder="(11) 98765-4321"
            value={telefone}
            onChange={({ currentTarget }) => setTelefone(maskPhone(currentTarget.value))}
            erro={erroDe('telefone')}
            className="min-h-12"
          />
          <TextField
            rotulo="Empresa"
            name="empresa"
            autoComplete="organization"
            erro={erroDe('empresa')}
            className="min-h-12"
          />
        </div>
        <NovaSenha rotulo="Senha" erroDe={erroDe} />
        <Checkbox
          name="termos"
          required
          erro={erroDe('termos')}
          rotulo={
            <>
              Li e aceito os{' '}
              <Link to="/terms" {...legal('termos de uso')} className={NO_TEXTO}>
                termos de uso
              </Link>{' '}
              e a{' '}
              <Link to="/privacy" {...legal('política de privacidade')} className={NO_TEXTO}>
                política de privacidade
              </Link>
            </>
          }
        />
        <p className="rounded-card bg-sunken px-4 py-3 text-sm text-muted">
          Um administrador precisa aprovar a sua conta. Você recebe um e-mail assim que ela for ativada.
        </p>
        <Button type="submit" variante="primary" tamanho="lg" ocupado={ocupado} className="w-full">
          {ocupado ? 'Criando conta...' : 'Criar conta'}
        </Button>
      </form>
      <p className="mt-6 text-center text-muted">
        Já tem conta?{' '}
        <Link to="/login" className={`inline-block py-1 ${NO_TEXTO}`}>
          Entrar
        </Link>
      </p>
    </>
  )
}
