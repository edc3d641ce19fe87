"""The rules of the standards, tried one by one with single packets"""
