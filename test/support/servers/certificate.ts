/** A self-signed certificate for hooks.example, valid until 2126, for receivers in tests. No client trusts it. */
import { createPrivateKey, X509Certificate } from 'node:crypto';

const keyBytes = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNu+IWBgcF50MBd3INY/h7aibJhRVNj0d5+YuLk64SMShRANCAAS/',
  'TZBlWis2630ocdxgEpLbh1tTRVlUHqvjuABFkJt6dzm5jOExtlbMgNBw9QaF50kORBz30U7GpbOhZYGVDj6d',
].join('');
const certificateBytes = [
  'MIIBoTCCAUegAwIBAgIUMF3dq9OTMwp6XMEuE1YYbo5P3+MwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTAg',
  'Fw0yNjExMjEyMzM4MDZaGA8yMTI2MTAyODIzMzgwNlowGDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqG',
  'SM49AwEHA0IABL9NkGVaKzbrfShx3GASktuHW1NFWVQeq+O4AEWQm3p3ObmM4TG2VsyA0HD1BoXnSQ5EHPfRTsals6FlgZUOPp2j',
  'bTBrMB0GA1UdDgQWBBSQs8j0NoVkyk+ukPMn3rvWEKD2eTAfBgNVHSMEGDAWgBSQs8j0NoVkyk+ukPMn3rvWEKD2eTAPBgNVHRMB',
  'Af8EBTADAQH/MBgGA1UdEQQRMA+CDWhvb2tzLmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIhAPP2kI2r7fXNpHIiYtA8TGRQxY6L',
  'eQY3TQ8s6K7bIgJRAiAMs6eLucmbIymcpgS6C70R5J1NAhwb9J9iJLok6YKEwA==',
].join('');

export const selfSigned = {
  key: createPrivateKey({ key: Buffer.from(keyBytes, 'base64'), format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  }),
  cert: new X509Certificate(Buffer.from(certificateBytes, 'base64')).toString(),
};
