/** Makes libsignal replace a session and prints the output. With `com` the fixes are loaded first. */
if (process.argv[2] === 'com') await import('#remendos/index.ts')

// Dynamic imports, because static ones would run before the fixes.
const { createCelular } = await import('../rede-falsa/celular.ts')
const { createCliente } = await import('../rede-falsa/cliente.ts')
const { conectarPuro, novaConta } = await import('../rede-falsa/puro.ts')
const { createServidor } = await import('../rede-falsa/servidor.ts')

const servidor = await createServidor()
const celular = createCelular(servidor, { numero: '5511990000001', lid: '100000000000001', nome: 'Loja' })
const ana = createCliente(servidor, { numero: '5511987654321', lid: '200000000000001', nome: 'Ana' })
const sock = await conectarPuro(servidor, celular, novaConta())
await ana.diz(celular, 'oi')
await sock.sendMessage(`${ana.lid}@lid`, { text: 'por LID' })
await sock.sendMessage(`${ana.numero}@s.whatsapp.net`, { text: 'por número' })
await ana.nesima(2)
await ana.reinstalar(celular)
await ana.diz(celular, 'de novo')
await sock.sendMessage(`${ana.lid}@lid`, { text: 'lido' })
await ana.nesima(3)
process.stdout.write('fim\n')
process.exit(0)
