import { createRoot } from 'react-dom/client'
import toast from 'react-hot-toast/headless'
import type { ComponentesPermitidos, Usuario } from '@balcao/contract/entities/usuario'
import { App } from '#app/app.tsx'

export const ALL_PERMISSIONS: ComponentesPermitidos = {
  configuracaoGeral: true,
  mensagensMenus: true,
  iaChatbot: true,
  logsStatus: true,
  atendimentoHumano: true,
  lojaWhatsapp: true,
}

export function makeUsuario(fields: Partial<Usuario> = {}): Usuario {
  return {
    id: 'u1',
    contaId: 'conta-1',
    nome: 'Ana Ribeiro',
    email: 'ana@aurora.com.br',
    telefone: '11987654321',
    empresa: 'Padaria Aurora',
    tipo: 'usuario',
    plano: 'gratuito',
    status: 'ativo',
    ativo: true,
    dataCriacao: '2025-11-01T12:00:00.000Z',
    limiteMensagensDia: 1000,
    componentesPermitidos: ALL_PERMISSIONS,
    ...fields,
  }
}

export function storeSession(usuario: Usuario = makeUsuario()): void {
  localStorage.setItem('token', 't')
  localStorage.setItem('user', JSON.stringify(usuario))
}

export function openApp(url: string): () => void {
  history.pushState(null, '', url)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(<App />)
  return () => {
    root.unmount()
    // A notice outlives its screen and would appear in the next test.
    toast.remove()
    place.remove()
  }
}
